-- Continues claim.lua for a key that exists.
local ending = ARGV[2]
local fingerprint, claim = string.sub(ending, 1, 32), string.sub(ending, 35)
claim = string.sub(claim, 1, 22 + struct.unpack('>I2', claim, 21))
local token = token_of(claim)

local function granted(record)
  return {1, record.attempt, record.taken_over, record.expiry, left_of(record), steps_of(record)}
end

local function grant(record, taken_over)
  record.phase = IN_PROGRESS
  record.token = token
  record.attempt = record.attempt + 1
  record.taken_over = taken_over
  record.lease_end = lease_end
  save_record(record)
  return granted(record)
end

local record, others, others_end = load_record(key, route_of_claim(claim))
if not record then
  save(key, string.sub(ARGV[1], 2) .. times .. ending, others,
    math.max(lease_end, expiry, others_end))
  return expiry
end
if record.fingerprint ~= fingerprint then
  return {4, record.phase, record.fingerprint, sketch_of(record), record.expiry, left_of(record)}
end
if record.phase == COMPLETED then
  return {3, response_of(record), record.expiry, left_of(record)}
end
if record.phase == RELEASED then
  if record.token == token then
    return {7}
  end
  if ARGV[5] == 'TAKEOVER' then
    return {5}
  end
  return grant(record, 0)
end
if record.token == token then
  return granted(record)
end
if now < record.lease_end then
  return {2, record.lease_end - now}
end
if ARGV[5] == 'NO_TAKEOVER' then
  return {6}
end
return grant(record, 1)
