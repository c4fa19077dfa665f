-- KEYS: the client key. ARGV: what a first use's record begins with, and what it ends with, around
-- its times; lease, retention, mode. Answers the expiry where it is a first use, else {what, ...};
-- the numbers are those of Replies.claim.
local key = KEYS[1]
local lease_end, expiry = now + ARGV[3], now + ARGV[4]
local times = struct.pack('>I8I8I8', lease_end, expiry, now)
-- Most keys are new. Nothing below is even defined for them.
if redis.call('SET', key, ARGV[1] .. times .. ARGV[2], 'NX', 'PXAT',
    math.max(lease_end, expiry)) then
  return expiry
end
