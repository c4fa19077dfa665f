-- Releases a claim. KEYS: the client key. ARGV: the claim. Returns 1 if it is released.
local record, there = load_held(KEYS[1], ARGV[1])
if not record then
  return has_ended(there, ARGV[1], RELEASED) and 1 or 0
end
record.phase = RELEASED
record.lease_end = now
notify(record)
save_record(record)
return 1
