-- After the ledger's payment.lua. Removes customer, description and metadata. KEYS: ledger. ARGV: the
-- payment's id and the time. Returns 1 if there is such a payment.
local text = redis.call('HGET', KEYS[1], 'p:' .. ARGV[1])
if not text then
  return 0
end
local payment = read_payment(text)
payment.fixed = string.sub(payment.fixed, 1, payment.key_length)
  .. string.sub(payment.fixed, payment.key_length + payment.customer_length + 1)
payment.customer_length = 0
-- No description, and no members.
payment.texts = string.char(0, 0, 0)
payment.version = payment.version + 1
payment.updated = math.max(payment.updated, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'p:' .. ARGV[1], write_payment(payment))
return 1
