-- KEYS: a hash, and perhaps another whose fields the first one's values are. ARGV: a field. Answers
-- the value in the last hash, '' when there is none.
local value = redis.call('HGET', KEYS[1], ARGV[1])
if value and KEYS[2] then
  value = redis.call('HGET', KEYS[2], value)
end
return value or ''
