-- KEYS: the client key. ARGV: route, token, most steps, name, and the result unless it is too long.
-- Answers 0 lost, 1 recorded, 2 too many. Steps stand one after the other: length of the name (2),
-- length of the result (4), name, result.
local key, field = KEYS[1], 's' .. ARGV[1]
local name, result = ARGV[4], ARGV[5]
if not is_held(load_record(key, ARGV[1]), ARGV[2]) then
  return 0
end
local steps = redis.call('HGET', key, field) or ''
local at, count = 1, 0
while at <= #steps do
  local name_length, result_length, start = struct.unpack('>I2I4', steps, at)
  if string.sub(steps, start, start + name_length - 1) == name then
    return 1
  end
  at = start + name_length + result_length
  count = count + 1
end
if count >= tonumber(ARGV[3]) or not result then
  return 2
end
redis.call('HSET', key, field, steps .. struct.pack('>I2I4', #name, #result) .. name .. result)
return 1
