-- KEYS: the client key, then for each effect those it touches and those it reserves. ARGV: the
-- claim, lease, answer, for whom to reserve, effects. An effect is its kind (0: refused already),
-- how many keys, arguments and reservations it has, and the arguments, each with its length;
-- apply_alone.lua takes them otherwise.
-- Answers {1, expiry, left}, {2} when the claim is lost, {3, effect, why} when one is refused.
local key, claim, answer = KEYS[1], ARGV[1], ARGV[3]
local value = redis.call('GET', key)
local bytes, phase, flags, attempt, lease_end, expiry, created
if value and string.byte(value, 1) == 1 then
  bytes, phase, flags, attempt, lease_end, expiry, created =
    struct.unpack('>I4BBI4I8I8I8', value, 2)
end
-- Held by this claim, with no other record beside it, no steps, and nobody awaits its end: nearly
-- always. What follows is not even defined then.
local simple = bytes and bytes + 1 == #value and phase == 1 and flags < 2 and now < expiry
  and string.sub(value, 70, 69 + #claim) == claim
local complete
if not simple then
