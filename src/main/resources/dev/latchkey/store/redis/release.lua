-- KEYS: the client key. ARGV: route, token, channel. Answers 1 when it is released.
local record = load_record(KEYS[1], ARGV[1])
if record and record.phase == RELEASED and record.token == ARGV[2] then
  return 1
end
if not is_held(record, ARGV[2]) then
  return 0
end
record.phase = RELEASED
record.lease_end = now
announce(record, ARGV[3])
save_record(record)
return 1
