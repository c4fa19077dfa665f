-- Completes a claim with its effects. No command may fail after the first write, since Redis does
-- not roll back. KEYS: the client key, then for each effect the keys that it touches and the names
-- that it reserves. ARGV: the claim, lease, response, tenant, effects. An effect is its kind (0 if
-- it is already refused), its numbers of keys, arguments and reservations, then each argument after
-- its length; apply_alone.lua describes the other form.
-- Returns {1, expiry, left}, {2} if the claim is lost, or {3, effect, why} if one is refused.
local key, claim, response = KEYS[1], ARGV[1], ARGV[3]
local value = redis.call('GET', key)
local bytes, phase, flags, attempt, lease_end, expiry, created
if value and string.byte(value, 1) == 1 then
  bytes, phase, flags, attempt, lease_end, expiry, created =
    struct.unpack('>I4BBI4I8I8I8', value, 2)
end
-- Nearly always the claim is held, has no steps and no waiter, and its record is the only one. Then
-- the functions below are not even defined.
local simple = bytes and bytes + 1 == #value and phase == 1 and flags < 2 and now < expiry
  and string.sub(value, 70, 69 + #claim) == claim
local complete
if not simple then
