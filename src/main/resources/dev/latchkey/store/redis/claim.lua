-- KEYS: the client key. ARGV: route, fingerprint, token, lease, retention, mode, outline.
-- Answers {what, ...}; the numbers are those of ClaimScript.
local key, route = KEYS[1], ARGV[1]
local fingerprint, token = ARGV[2], ARGV[3]
local lease, retention = tonumber(ARGV[4]), tonumber(ARGV[5])
local mode = ARGV[6]

local function granted(record, steps)
  return {1, record.attempt, record.taken_over, record.expiry, left_of(record), steps}
end

local function grant(record, taken_over)
  record.phase = IN_PROGRESS
  record.token = token
  record.attempt = record.attempt + 1
  record.taken_over = taken_over
  record.lease_end = now + lease
  save_record(record)
  return granted(record, redis.call('HGET', key, 's' .. route) or '')
end

local record, stale = load_record(key, route)
if not record then
  if stale then
    redis.call('HDEL', key, 'r' .. route, 's' .. route)
  end
  record = {
    key = key, route = route, phase = IN_PROGRESS, attempt = 1, lease_end = now + lease,
    expiry = now + retention, created = now, fingerprint = fingerprint, token = token,
    taken_over = 0, awaited = 0, outline = ARGV[7]
  }
  save_record(record)
  return granted(record, '')
end
if record.fingerprint ~= fingerprint then
  return {4, record.phase, record.outline, record.expiry, left_of(record)}
end
if record.phase == COMPLETED then
  return {3, redis.call('HGET', key, 'r' .. route), record.expiry, left_of(record)}
end
if record.phase == RELEASED then
  if record.token == token then
    return {7}
  end
  if mode == 'TAKEOVER' then
    return {5}
  end
  return grant(record, 0)
end
if record.token == token then
  return granted(record, redis.call('HGET', key, 's' .. route) or '')
end
if now < record.lease_end then
  return {2, record.lease_end - now}
end
if mode == 'NO_TAKEOVER' then
  return {6}
end
return grant(record, 1)
