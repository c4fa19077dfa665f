-- KEYS: the client key. ARGV: the route with its length before it, 'watch' to register interest
-- first.
-- Answers {phase, fingerprint, sketch, token, ...}, {0} when it is absent.
local record = load_record(KEYS[1], ARGV[1])
if not record then
  return {0}
end
if ARGV[2] == 'watch' and record.phase == IN_PROGRESS and not record.awaited then
  record.awaited = true
  save_record(record)
end
local answer = {record.phase, record.fingerprint, sketch_of(record), record.token}
if record.phase == IN_PROGRESS then
  answer[5] = math.max(0, record.lease_end - now)
elseif record.phase == COMPLETED then
  answer[5] = answer_of(record)
  answer[6] = record.expiry
  answer[7] = left_of(record)
end
return answer
