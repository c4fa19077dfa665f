-- The interface of effects to Redis. A refusal must leave nothing behind, and scripts do not roll
-- back: so effects only stage writes, and read the staged writes of earlier effects. Everything is
-- written once all effects apply, each hash by one command.
local strings, hashes, writes = {}, {}, {}
local hash_writes, hash_order = {}, {}
local tx = {now = now}

-- Returns a string with the writes of earlier effects, nil if there is none.
function tx.get(key)
  local value = strings[key]
  if value == nil then
    value = redis.call('GET', key)
  end
  return value or nil
end

-- Stages a string.
function tx.set(key, value)
  strings[key] = value
  writes[#writes + 1] = {'SET', key, value}
end

-- Returns a field of a hash likewise.
function tx.hget(key, field)
  local known = hashes[key]
  local value = known and known[field]
  if value == nil then
    value = redis.call('HGET', key, field)
    if known then
      known[field] = value
    end
  end
  return value or nil
end

-- Returns fields of a hash likewise, in one read: a list of values, false for absent ones.
function tx.hmget(key, ...)
  local known = hashes[key]
  local fields, values = {...}, {}
  if known then
    for i = 1, #fields do
      values[i] = tx.hget(key, fields[i]) or false
    end
    return values
  end
  known = {}
  hashes[key] = known
  values = redis.call('HMGET', key, ...)
  for i = 1, #fields do
    known[fields[i]] = values[i]
  end
  return values
end

-- Stages fields of a hash, as alternating fields and values.
function tx.hset(key, ...)
  local known, staged = hashes[key], hash_writes[key]
  if not known then
    known = {}
    hashes[key] = known
  end
  if not staged then
    staged = {}
    hash_writes[key] = staged
    hash_order[#hash_order + 1] = key
  end
  local new, count = {...}, #staged
  for i = 1, #new, 2 do
    known[new[i]] = new[i + 1]
    staged[count + i], staged[count + i + 1] = new[i], new[i + 1]
  end
end

-- Stages any other write; no effect may read it, and it must not be able to fail.
function tx.write(...)
  writes[#writes + 1] = {...}
end

local MAX_ARGUMENTS = 1000

local function write_staged()
  for i = 1, #hash_order do
    local key = hash_order[i]
    local staged = hash_writes[key]
    for from = 1, #staged, MAX_ARGUMENTS do
      redis.call('HSET', key, unpack(staged, from, math.min(from + MAX_ARGUMENTS - 1, #staged)))
    end
  end
  for i = 1, #writes do
    redis.call(unpack(writes[i]))
  end
end

local kinds = {}
