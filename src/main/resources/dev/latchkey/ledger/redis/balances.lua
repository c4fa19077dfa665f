-- KEYS: books. Answers currency and sums by turns.
local answer = {}
local currencies = redis.call('HGET', KEYS[1], 'b') or ''
for at = 1, #currencies, 3 do
  local currency = string.sub(currencies, at, at + 2)
  answer[#answer + 1] = currency
  answer[#answer + 1] = redis.call('HGET', KEYS[1], 'b:' .. currency)
end
return answer
