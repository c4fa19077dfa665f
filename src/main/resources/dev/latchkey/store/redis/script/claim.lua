-- KEYS: the client key. ARGV: what a first use's record begins with, and what it ends with, around
-- its times; lease, retention, mode. Answers the expiry where it is a first use, else {what, ...};
-- the numbers are those of ScriptResults.claim.
local key = KEYS[1]
local lease_end, expiry = now + ARGV[3], now + ARGV[4]
local times = struct.pack('>I8I8I8', lease_end, expiry, now)
-- Most keys are new. Nothing below is even defined for them.
if redis.call('SET', key, ARGV[1] .. times .. ARGV[2], 'NX', 'PXAT',
    math.max(lease_end, expiry)) then
  return expiry
end
-- Completed by the same request, with no other record beside it: most of the others.
local value = redis.call('GET', key)
if value and string.byte(value, 1) == 1 then
  local bytes, phase, _, _, _, until_then = struct.unpack('>I4BBI4I8I8', value, 2)
  local route = string.sub(ARGV[2], 55, 56 + struct.unpack('>I2', ARGV[2], 55))
  if bytes + 1 == #value and phase == 2 and now < until_then
      and string.sub(value, 36, 67) == string.sub(ARGV[2], 1, 32)
      and string.sub(value, 90, 89 + #route) == route then
    local answer = 90 + #route + struct.unpack('>I2', value, 68)
    return {3, string.sub(value, answer), until_then, until_then - now}
  end
end
