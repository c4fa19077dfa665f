-- KEYS: the list, payments, and the customer's list where both filters are given. ARGV: at most so
-- many, and after which id, or ''. Answers {1 when more follow, payments newest first}, {} when the
-- id is not in this list.
local limit, after = tonumber(ARGV[1]), ARGV[2]

local function in_list(id)
  return not KEYS[3] or redis.call('ZSCORE', KEYS[3], id)
end

local below = '+inf'
if after ~= '' then
  local sequence = redis.call('ZSCORE', KEYS[1], after)
  if not sequence or not in_list(after) then
    return {}
  end
  below = '(' .. sequence
end
-- A key makes a payment per lifetime at most, so a list that is filtered further is short.
local ids
if KEYS[3] then
  ids = redis.call('ZREVRANGEBYSCORE', KEYS[1], below, '-inf')
else
  ids = redis.call('ZREVRANGEBYSCORE', KEYS[1], below, '-inf', 'LIMIT', 0, limit + 1)
end
local page, more = {}, 0
for i = 1, #ids do
  if in_list(ids[i]) then
    if #page == limit then
      more = 1
      break
    end
    page[#page + 1] = redis.call('HGET', KEYS[2], ids[i])
  end
end
return {more, page}
