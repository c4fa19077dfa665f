-- Records a step. KEYS: the client key. ARGV: the claim, maximum number of steps, name, and the
-- result unless it is too long. Returns 0 lost, 1 recorded, 2 too many. A step consists of the length
-- of its name (2 bytes), the length of its result (4), name and result.
local name, result = ARGV[3], ARGV[4]
local record = load_held(KEYS[1], ARGV[1])
if not record then
  return 0
end
local steps = steps_of(record)
local at, count = 1, 0
while at <= #steps do
  local name_length, result_length, start = struct.unpack('>I2I4', steps, at)
  if sub(steps, start, start + name_length - 1) == name then
    return 1
  end
  at = start + name_length + result_length
  count = count + 1
end
if count >= tonumber(ARGV[2]) or not result then
  return 2
end
put_tail(record, steps .. struct.pack('>I2I4', #name, #result) .. name .. result, '')
save_record(record)
return 1
