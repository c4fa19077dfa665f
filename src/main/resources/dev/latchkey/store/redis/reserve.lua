-- Reserves a name for a tenant. KEYS: the name. ARGV: the tenant. Returns the tenant that has it.
local holder = redis.call('GET', KEYS[1])
if not holder then
  redis.call('SET', KEYS[1], ARGV[1])
  holder = ARGV[1]
end
return holder
