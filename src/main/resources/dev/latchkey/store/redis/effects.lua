-- What an effect works with. A refusal must leave nothing behind, and a script does not roll back:
-- so effects only stage what they write, and see what those before them staged. All of it is
-- written once every effect has applied.
local staged, writes = {}, {}
local tx = {now = now}

-- The string under a key, as the effects before this one left it; nil when there is none.
function tx.get(key)
  local value = staged[key]
  if value == nil then
    value = redis.call('GET', key)
  end
  return value or nil
end

-- Stages a string.
function tx.set(key, value)
  staged[key] = value
  writes[#writes + 1] = {'SET', key, value}
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
