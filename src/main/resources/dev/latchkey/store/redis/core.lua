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

local function read_record(value, at)
  local record, flags, start = {}, nil, nil
  record.bytes, record.phase, flags, record.attempt, record.lease_end, record.expiry,
    record.created, record.fingerprint, record.sketch_length, record.token, record.steps_length,
    record.route_length, start = struct.unpack(HEAD, value, at)
  record.taken_over = flags % AWAITED
  record.awaited = flags >= AWAITED
  record.texts = sub(value, start, at + record.bytes - 1)
  return record
end

local function is_gone(record)
  return now >= record.expiry and now >= record.lease_end
end

-- Returns the record of a route, or nil if it is absent or expired; and all others of the key.
local function load_record(key, route)
  local value = call('GET', key)
  if not value then
    return nil, ''
  end
  if string.byte(value, 1) ~= VERSION then
    error('LATCHKEYVERSION a record has version ' .. string.byte(value, 1))
  end
  local at = 2
  while at <= #value do
    local bytes = struct.unpack('>I4', value, at)
    local route_at = at + HEAD_BYTES - 2
    if sub(value, route_at, route_at + #route - 1) == route then
      local record, others = read_record(value, at), sub(value, 2, at - 1) .. sub(value, at + bytes)
      if is_gone(record) then
        return nil, others
      end
      record.key, record.others = key, others
      return record, others
    end
    at = at + bytes
  end
  return nil, sub(value, 2)
end

-- Writes a record and the others of its key, except expired ones. The key lives as long as its
-- longest record.
local function save(key, bytes, others, deadline)
  local kept, at = bytes, 1
  while at <= #others do
    local other = read_record(others, at)
    if not is_gone(other) then
      kept = kept .. sub(others, at, at + other.bytes - 1)
      deadline = math.max(deadline, other.expiry, other.lease_end)
    end
    at = at + other.bytes
  end
  if kept == '' then
    call('DEL', key)
  else
    call('SET', key, string.char(VERSION) .. kept, 'PXAT', deadline)
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
    record.others, math.max(record.expiry, record.lease_end))
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

-- Notifies the waiters of an awaited record; called before the record is saved. A user without the
-- right to publish must not keep the record from being saved: effects are written by then.
local function notify(record)
  if record.awaited then
    record.awaited = false
    redis.pcall('PUBLISH', CHANNEL, record.key .. ' ' .. route_of(record))
  end
end
