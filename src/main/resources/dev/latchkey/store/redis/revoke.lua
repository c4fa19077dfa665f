-- KEYS: the client key. ARGV: route, token, channel. Answers 1 when the record was held and is gone.
local record = load_record(KEYS[1], ARGV[1])
if not is_held(record, ARGV[2]) then
  return 0
end
announce(record, ARGV[3])
redis.call('HDEL', KEYS[1], 'm' .. ARGV[1], 'r' .. ARGV[1], 's' .. ARGV[1])
return 1
