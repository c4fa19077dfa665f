-- KEYS: the client key, then those of the effects in order. ARGV: route, token, lease, channel,
-- answer, then for each effect: its kind (0: unknown), how many keys, how many arguments, these.
local key, route, token = KEYS[1], ARGV[1], ARGV[2]

-- Applies the effects in order to the stage; returns the refused one and why.
local function stage_effects()
  local next_key, at, number = 2, 6, 0
  while at <= #ARGV do
    local kind, key_count, arg_count = tonumber(ARGV[at]), tonumber(ARGV[at + 1]),
      tonumber(ARGV[at + 2])
    local keys, args = {}, {}
    for i = 1, key_count do
      keys[i] = KEYS[next_key + i - 1]
    end
    for i = 1, arg_count do
      args[i] = ARGV[at + 2 + i]
    end
    local why = 'this store does not know such an effect'
    if kinds[kind] then
      why = kinds[kind](keys, args, tx)
    end
    if why then
      return number, why
    end
    next_key, at, number = next_key + key_count, at + 3 + arg_count, number + 1
  end
end

local record = load_record(key, route)
if record and record.phase == COMPLETED and record.token == token then
  return {1, record.expiry, left_of(record), redis.call('HGET', key, 'r' .. route)}
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
