-- Claims a key. KEYS: the client key. ARGV: the bytes of a new record before its times and after
-- them, lease, retention, mode. Returns the expiry for a first use, else {code, ...}; the codes are
-- those of ScriptResults.claim.
local key = KEYS[1]
local lease_end, expiry = now + ARGV[3], now + ARGV[4]
local times = struct.pack('>I8I8I8', lease_end, expiry, now)
-- Most keys are new. For them, the functions below are not even defined.
if redis.call('SET', key, ARGV[1] .. times .. ARGV[2], 'NX', 'PXAT',
    math.max(lease_end, expiry)) then
  return expiry
end
-- Most other claims are replays of a key with a single record.
local value = redis.call('GET', key)
if value and string.byte(value, 1) == 1 then
  local bytes, phase, _, _, _, until_then = struct.unpack('>I4BBI4I8I8', value, 2)
  local route = string.sub(ARGV[2], 55, 56 + struct.unpack('>I2', ARGV[2], 55))
  if bytes + 1 == #value and phase == 2 and now < until_then
      and string.sub(value, 36, 67) == string.sub(ARGV[2], 1, 32)
      and string.sub(value, 90, 89 + #route) == route then
    local response = 90 + #route + struct.unpack('>I2', value, 68)
    return {3, string.sub(value, response), until_then, until_then - now}
  end
end
