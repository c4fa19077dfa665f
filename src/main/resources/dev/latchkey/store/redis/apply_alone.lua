-- Applies the only effect of a completion, of a kind that refuses before it writes: nothing is
-- staged. ARGV from 5 on: the number of keys that it touches, then its arguments.
local last = 1 + ARGV[5]
for i = last + 1, #KEYS do
  if redis.call('SETNX', KEYS[i], ARGV[4]) == 0 and redis.call('GET', KEYS[i]) ~= ARGV[4] then
    return {3, 0, KEYS[i] .. ' belongs to another tenant'}
  end
end
local why = effect({unpack(KEYS, 2, last)}, {unpack(ARGV, 6)}, tx)
if why then
  return {3, 0, why}
end
