-- What an effect works with. A refusal must leave nothing behind, and a script does not roll back:
-- so effects only stage what they write, and see what those before them staged. All of it is
-- written once every effect has applied, a hash by one command.
local strings, hashes, writes = {}, {}, {}
local hash_writes, hash_order = {}, {}
local tx = {now = now}

-- The string under a key, as the effects before this one left it; nil when there is none.
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

-- A field of a hash, likewise.
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

-- Some fields of a hash, likewise, in one look: a list of their values, false where there is none.
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

-- Stages fields of a hash: field and value by turns.
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
  local said, count = {...}, #staged
  for i = 1, #said, 2 do
    known[said[i]] = said[i + 1]
    staged[count + i], staged[count + i + 1] = said[i], said[i + 1]
  end
end

-- Stages any other write, which no effect reads again.
function tx.write(...)
  writes[#writes + 1] = {...}
end

local MOST_WORDS = 1000

local function write_staged()
  for i = 1, #hash_order do
    local key = hash_order[i]
    local staged = hash_writes[key]
    for from = 1, #staged, MOST_WORDS do
      redis.call('HSET', key, unpack(staged, from, math.min(from + MOST_WORDS - 1, #staged)))
    end
  end
  for i = 1, #writes do
    redis.call(unpack(writes[i]))
  end
end

local kinds = {}
