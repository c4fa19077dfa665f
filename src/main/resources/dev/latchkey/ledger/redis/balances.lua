-- Reads the sums. KEYS: ledger. Returns alternating currencies and sums.
local result = {}
local currencies = redis.call('HGET', KEYS[1], 'b') or ''
for at = 1, #currencies, 3 do
  local currency = string.sub(currencies, at, at + 2)
  result[#result + 1] = currency
  result[#result + 1] = redis.call('HGET', KEYS[1], 'b:' .. currency)
end
return result
