-- KEYS: books. ARGV: a field, and what comes before its value in the name of another. Answers the
-- other's value, '' when there is none.
local id = redis.call('HGET', KEYS[1], ARGV[1])
return id and redis.call('HGET', KEYS[1], ARGV[2] .. id) or ''
