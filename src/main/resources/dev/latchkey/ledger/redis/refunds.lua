-- Lists the refunds of a payment. KEYS: ledger. ARGV: limit, payment, starting after this id or ''.
-- Returns {1 if more follow, refunds newest first}, or {} if the id is not a refund of the payment.
local limit, payment, after = tonumber(ARGV[1]), ARGV[2], ARGV[3]

-- The third text of a refund: see RefundRow.
local function payment_of(refund)
  local at = 2
  for i = 1, 2 do
    at = at + 2 + struct.unpack('>I2', refund, at)
  end
  return string.sub(refund, at + 2, at + 1 + struct.unpack('>I2', refund, at))
end

local id
if after == '' then
  id = redis.call('HGET', KEYS[1], 'h:' .. payment)
else
  local refund = redis.call('HGET', KEYS[1], 'r:' .. after)
  if not refund or payment_of(refund) ~= payment then
    return {}
  end
  id = redis.call('HGET', KEYS[1], 'o:' .. after)
end
local page = {}
while id and #page < limit do
  page[#page + 1] = redis.call('HGET', KEYS[1], 'r:' .. id)
  id = redis.call('HGET', KEYS[1], 'o:' .. id)
end
return {id and 1 or 0, page}
