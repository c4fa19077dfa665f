-- KEYS: the client key, then for each effect those it touches and those it reserves. ARGV: route,
-- token, lease, channel, answer, then for each effect: its kind (0: refused already), how many keys,
-- how many arguments, how many reservations, the arguments, and for whom to reserve.
local key, route, token = KEYS[1], ARGV[1], ARGV[2]

local function slice(list, from, count)
  local part = {}
  for i = 1, count do
    part[i] = list[from + i - 1]
  end
  return part
end

-- Makes a name outside the tenant belong to one holder for good; returns why not, if so.
local function reserve(keys, holders)
  for i = 1, #keys do
    local holder = tx.get(keys[i])
    if holder and holder ~= holders[i] then
      return keys[i] .. ' belongs to another tenant'
    end
    if not holder then
      tx.set(keys[i], holders[i])
    end
  end
end

-- Applies the effects in order to the stage; returns the refused one and why.
local function stage_effects()
  local next_key, at, number = 2, 6, 0
  while at <= #ARGV do
    local kind, key_count = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
    local arg_count, reserve_count = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
    local keys = slice(KEYS, next_key, key_count)
    local args = slice(ARGV, at + 4, arg_count)
    if kind == 0 then
      return number, args[1]
    end
    local why = reserve(slice(KEYS, next_key + key_count, reserve_count),
      slice(ARGV, at + 4 + arg_count, reserve_count)) or kinds[kind](keys, args, tx)
    if why then
      return number, why
    end
    next_key = next_key + key_count + reserve_count
    at = at + 4 + arg_count + reserve_count
    number = number + 1
  end
end

local record = load_record(key, route)
if record and record.phase == COMPLETED and record.token == token then
  return {1, record.expiry, left_of(record)}
end
if not is_held(record, token) then
  return {2}
end
local refused, why = stage_effects()
if refused then
  return {3, refused, why}
end
write_staged()
record.phase = COMPLETED
record.lease_end = now
if now >= record.expiry then
  record.expiry = now + tonumber(ARGV[3])
end
announce(record, ARGV[4])
redis.call('HSET', key, 'r' .. route, ARGV[5])
redis.call('HDEL', key, 's' .. route)
save_record(record)
return {1, record.expiry, left_of(record)}
