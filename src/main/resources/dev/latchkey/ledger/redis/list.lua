-- Lists payments. KEYS: ledger. ARGV: limit, starting after this id or '', idempotency key after a
-- colon or '' for any, customer likewise. Returns {1 if more follow, payments newest first}, or {} if
-- the id is not in this list.
local limit, after, key, customer = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local BY_ALL, BY_KEY, BY_CUSTOMER = 1, 2, 3
local chain, field = BY_ALL, 'l'
if key ~= '' then
  chain, field = BY_KEY, 'k' .. key
elseif customer ~= '' then
  chain, field = BY_CUSTOMER, 'u' .. customer
end

local function find(id)
  local text = redis.call('HGET', KEYS[1], 'p:' .. id)
  return text, text and read_payment(text)
end

local function in_list(payment)
  local of_customer = payment.key_length + 1
  return (key == '' or ':' .. string.sub(payment.fixed, 1, payment.key_length) == key)
    and (customer == '' or string.sub(payment.fixed, of_customer,
      of_customer + payment.customer_length - 1) == customer)
end

local function next_of(payment)
  local at = payment.links_at
  for i = 1, chain - 1 do
    at = at + payment.link_lengths[i]
  end
  return string.sub(payment.links, at, at + payment.link_lengths[chain] - 1)
end

local id
if after == '' then
  id = redis.call('HGET', KEYS[1], field) or ''
else
  local _, payment = find(after)
  if not payment or not in_list(payment) then
    return {}
  end
  id = next_of(payment)
end
-- A key makes at most one payment per retention, so a list that is filtered by both is short.
local page, more = {}, 0
while id ~= '' do
  local text, payment = find(id)
  if not payment then
    error('LATCHKEYLEDGER payment ' .. id .. ' is missing from the ledger')
  end
  if in_list(payment) then
    if #page == limit then
      more = 1
      break
    end
    page[#page + 1] = text
  end
  id = next_of(payment)
end
return {more, page}
