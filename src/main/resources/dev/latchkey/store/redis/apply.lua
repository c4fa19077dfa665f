local next_key = 2
for i = 5, #ARGV do
  local kind, key_count, arg_count, reserve_count, at = struct.unpack('>I2I2I2I2', ARGV[i])
  local args = {struct.unpack('>' .. string.rep('I4c0', arg_count), ARGV[i], at)}
  args[arg_count + 1] = nil
  if kind == 0 then
    return {3, i - 5, args[1]}
  end
  -- A name outside the tenant stays reserved for it, even if an effect is refused.
  local reserved = next_key + key_count
  for j = reserved, reserved + reserve_count - 1 do
    if redis.call('SETNX', KEYS[j], ARGV[4]) == 0 and redis.call('GET', KEYS[j]) ~= ARGV[4] then
      return {3, i - 5, KEYS[j] .. ' belongs to another tenant'}
    end
  end
  local why = kinds[kind]({unpack(KEYS, next_key, reserved - 1)}, args, tx)
  if why then
    return {3, i - 5, why}
  end
  next_key = reserved + reserve_count
end
write_staged()
