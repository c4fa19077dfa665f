-- KEYS: a name outside any tenant. ARGV: for whom. Answers whose it is from now on.
local holder = redis.call('GET', KEYS[1])
if not holder then
  redis.call('SET', KEYS[1], ARGV[1])
  holder = ARGV[1]
end
return holder
