-- Shared by the scripts. One string holds all records of a client key of a tenant, one for each
-- route: a version, then the records. A record consists of its length, phase, flags, attempt, end of
-- the lease, expiry, first use, fingerprint, length of the member sketch, token, lengths of steps
-- and route; then route, sketch, steps and response. Scripts receive a claim as the bytes of its
-- record from the token to the route, without steps.
local call, sub = redis.call, string.sub

local HEAD = '>I4BBI4I8I8I8c32I2c16I4I2'
local HEAD_BYTES = 90
local VERSION = 1
local IN_PROGRESS, COMPLETED, RELEASED = 1, 2, 3
local AWAITED = 2

local function token_of(claim)
  return sub(claim, 1, 16)
end

-- The route after its length.
local function route_of_claim(claim)
  return sub(claim, 21)
end

local function damaged()
  error('LATCHKEYVERSION a record is damaged')
end

local function read_record(value, at)
  if #value - at + 1 < HEAD_BYTES then
    damaged()
  end
  local record, flags, start = {}, nil, nil
  record.bytes, record.phase, flags, record.attempt, record.lease_end, record.expiry,
    record.created, record.fingerprint, record.sketch_length, record.token, record.steps_length,
    record.route_length, start = struct.unpack(HEAD, value, at)
  record.taken_over = flags % AWAITED
  record.awaited = flags >= AWAITED
  record.texts = sub(value, start, at + record.bytes - 1)
  if record.bytes ~= HEAD_BYTES + #record.texts
      or #record.texts < record.route_length + record.sketch_length + record.steps_length then
    damaged()
  end
  return record
end

local function is_gone(record)
  return now >= record.expiry and now >= record.lease_end
end

-- Returns the record of a route, or nil if it is absent or expired; and the bytes of all others of
-- the key that have not expired, with the end of the last of them. Reads every record: one that
-- cannot be read must fail the script before its first write.
local function load_record(key, route)
  local value = call('GET', key)
  if not value then
    return nil, '', 0
  end
  if string.byte(value, 1) ~= VERSION then
    error('LATCHKEYVERSION a record has version ' .. string.byte(value, 1))
  end
  local found, others, others_end, at = nil, '', 0, 2
  while at <= #value do
    local record = read_record(value, at)
    if not is_gone(record) then
      local route_at = at + HEAD_BYTES - 2
      if sub(value, route_at, route_at + #route - 1) == route then
        found = record
      else
        others = others .. sub(value, at, at + record.bytes - 1)
        others_end = math.max(others_end, record.expiry, record.lease_end)
      end
    end
    at = at + record.bytes
  end
  if found then
    found.key, found.others, found.others_end = key, others, others_end
  end
  return found, others, others_end
end

-- Writes a record and the others of its key. The key lives as long as its longest record.
local function save(key, bytes, others, deadline)
  if bytes .. others == '' then
    call('DEL', key)
  else
    call('SET', key, string.char(VERSION) .. bytes .. others, 'PXAT', deadline)
  end
end

local function save_record(record)
  local flags = record.taken_over
  if record.awaited then
    flags = flags + AWAITED
  end
  save(record.key, struct.pack(HEAD, HEAD_BYTES + #record.texts, record.phase, flags,
    record.attempt, record.lease_end, record.expiry, record.created, record.fingerprint,
    record.sketch_length, record.token, record.steps_length, record.route_length) .. record.texts,
    record.others, math.max(record.expiry, record.lease_end, record.others_end))
end

-- Returns the record of a claim if the claim is still held; else nil and the present record.
local function load_held(key, claim)
  local record = load_record(key, route_of_claim(claim))
  if record and record.phase == IN_PROGRESS and record.token == token_of(claim) then
    return record
  end
  return nil, record
end

-- Whether the claim has ended in this phase already.
local function has_ended(record, claim, phase)
  return record and record.phase == phase and record.token == token_of(claim)
end

local function left_of(record)
  return math.max(0, record.expiry - now)
end

local function route_of(record)
  return sub(record.texts, 1, record.route_length)
end

local function sketch_of(record)
  return sub(record.texts, record.route_length + 1, record.route_length + record.sketch_length)
end

local function steps_of(record)
  local start = record.route_length + record.sketch_length
  return sub(record.texts, start + 1, start + record.steps_length)
end

local function response_of(record)
  return sub(record.texts, record.route_length + record.sketch_length + record.steps_length + 1)
end

-- Replaces the steps and the response.
local function put_tail(record, steps, response)
  local head = sub(record.texts, 1, record.route_length + record.sketch_length)
  record.texts = head .. steps .. response
  record.steps_length = #steps
end

-- Notifies waiters. A user without the right to publish must not keep a record from being saved:
-- effects are written by then.
local function publish(key, route)
  redis.pcall('PUBLISH', CHANNEL, key .. ' ' .. route)
end

-- Notifies the waiters of an awaited record; called before the record is saved.
local function notify(record)
  if record.awaited then
    record.awaited = false
    publish(record.key, route_of(record))
  end
end
