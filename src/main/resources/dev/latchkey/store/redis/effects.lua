-- What an effect works with. A refusal must leave nothing behind, and a script does not roll back:
-- so effects only stage what they write, and see what those before them staged. All of it is
-- written once every effect has applied.
local staged, writes = {}, {}
local tx = {now = now}

local function staged_or(place, read, ...)
  local value = staged[place]
  if value == nil then
    value = redis.call(read, ...)
  end
  return value or nil
end

-- The string under a key, as the effects before this one left it; nil when there is none.
function tx.get(key)
  return staged_or(key, 'GET', key)
end

-- Stages a string.
function tx.set(key, value)
  staged[key] = value
  writes[#writes + 1] = {'SET', key, value}
end

-- A field of a hash, likewise.
function tx.hget(key, field)
  return staged_or(key .. '\0' .. field, 'HGET', key, field)
end

-- Stages a field of a hash.
function tx.hset(key, field, value)
  staged[key .. '\0' .. field] = value
  writes[#writes + 1] = {'HSET', key, field, value}
end

-- Stages any other write, which no effect reads again.
function tx.write(...)
  writes[#writes + 1] = {...}
end

local function write_staged()
  for i = 1, #writes do
    redis.call(unpack(writes[i]))
  end
end

local kinds = {}
