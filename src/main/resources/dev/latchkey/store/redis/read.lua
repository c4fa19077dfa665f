-- Reads a record. KEYS: the client key. ARGV: the route after its length, 'watch' to register
-- interest first. Returns {phase, fingerprint, sketch, token, ...}, or {0} if it is absent.
local record = load_record(KEYS[1], ARGV[1])
if not record then
  return {0}
end
if ARGV[2] == 'watch' and record.phase == IN_PROGRESS and not record.awaited then
  record.awaited = true
  save_record(record)
end
local result = {record.phase, record.fingerprint, sketch_of(record), record.token}
if record.phase == IN_PROGRESS then
  result[5] = math.max(0, record.lease_end - now)
elseif record.phase == COMPLETED then
  result[5] = response_of(record)
  result[6] = record.expiry
  result[7] = left_of(record)
end
return result
