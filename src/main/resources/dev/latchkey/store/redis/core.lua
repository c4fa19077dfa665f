-- What every script begins with. One hash holds all records of one client key of one tenant, by
-- route: 'm' .. route is the record, 'r' .. route its stored answer, 's' .. route its steps.

local META = '>BBBI4I8I8I8c32c16'
local META_BYTES = 79
local META_VERSION = 1
local IN_PROGRESS, COMPLETED, RELEASED = 1, 2, 3
local TAKEN_OVER, AWAITED = 1, 2

-- Returns the record, or nothing where it is absent or expired; and whether fields of it are there.
local function load_record(key, route)
  local meta = redis.call('HGET', key, 'm' .. route)
  if not meta then
    return nil, false
  end
  local version = string.byte(meta, 1)
  if version ~= META_VERSION then
    error('LATCHKEYVERSION a record has version ' .. version)
  end
  local record = {key = key, route = route}
  local flags
  version, record.phase, flags, record.attempt, record.lease_end, record.expiry, record.created,
    record.fingerprint, record.token = struct.unpack(META, meta)
  record.taken_over = flags % 2
  record.awaited = math.floor(flags / AWAITED) % 2
  record.outline = string.sub(meta, META_BYTES + 1)
  if now >= math.max(record.expiry, record.lease_end) then
    return nil, true
  end
  return record, true
end

-- The hash lives as long as its longest record. It is never cut short: a record that ends before
-- its siblings is told by its own expiry.
local function save_record(record)
  local flags = record.taken_over * TAKEN_OVER + record.awaited * AWAITED
  redis.call('HSET', record.key, 'm' .. record.route,
    struct.pack(META, META_VERSION, record.phase, flags, record.attempt, record.lease_end,
      record.expiry, record.created, record.fingerprint, record.token) .. record.outline)
  local deadline = math.max(record.expiry, record.lease_end)
  local left = redis.call('PTTL', record.key)
  if left < 0 or now + left < deadline then
    redis.call('PEXPIREAT', record.key, string.format('%.0f', deadline))
  end
end

local function is_held(record, token)
  return record and record.phase == IN_PROGRESS and record.token == token
end

local function left_of(record)
  return math.max(0, record.expiry - now)
end

-- Tells whoever watches, and ends the interest. Before the record is saved.
local function announce(record, channel)
  if record.awaited == 1 then
    record.awaited = 0
    redis.call('PUBLISH', channel, record.key .. ' ' .. record.route)
  end
end
