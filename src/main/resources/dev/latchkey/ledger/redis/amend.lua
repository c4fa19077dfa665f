-- Amends a payment. KEYS: ledger. ARGV: id, version, time, texts. Returns the payment, or '' if
-- there is none at this version.
local text = redis.call('HGET', KEYS[1], 'p:' .. ARGV[1])
local payment = text and read_payment(text)
if not payment or payment.version ~= tonumber(ARGV[2]) then
  return ''
end
payment.version = payment.version + 1
payment.updated = math.max(payment.updated, tonumber(ARGV[3]))
payment.texts = ARGV[4]
local amended = write_payment(payment)
redis.call('HSET', KEYS[1], 'p:' .. ARGV[1], amended)
return amended
