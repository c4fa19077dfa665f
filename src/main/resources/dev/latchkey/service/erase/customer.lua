-- Removes a customer and the list of its payments. KEYS: customers, ledger. ARGV: the customer's id,
-- and its field in the ledger; with a third argument, only counts them. Returns their number.
if ARGV[3] then
  return redis.call('HEXISTS', KEYS[1], ARGV[1]) + redis.call('HEXISTS', KEYS[2], ARGV[2])
end
return redis.call('HDEL', KEYS[1], ARGV[1]) + redis.call('HDEL', KEYS[2], ARGV[2])
