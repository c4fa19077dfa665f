-- Follows a field that holds an id. KEYS: ledger. ARGV: the field, and the prefix of the field to
-- read. Returns its value, or '' if there is none.
local id = redis.call('HGET', KEYS[1], ARGV[1])
return id and redis.call('HGET', KEYS[1], ARGV[2] .. id) or ''
