-- KEYS: the client key. ARGV: at most so many. Answers {route, phase, attempt, created, expiry,
-- answer or ''} for each record, oldest first.
local found = {}
local fields = redis.call('HKEYS', KEYS[1])
for i = 1, #fields do
  if string.sub(fields[i], 1, 1) == 'm' then
    local record = load_record(KEYS[1], string.sub(fields[i], 2))
    if record then
      found[#found + 1] = record
    end
  end
end
table.sort(found, function(one, other)
  if one.created ~= other.created then
    return one.created < other.created
  end
  return one.route < other.route
end)
local answer = {}
for i = 1, math.min(#found, tonumber(ARGV[1])) do
  local record = found[i]
  local stored = ''
  if record.phase == COMPLETED then
    stored = redis.call('HGET', record.key, 'r' .. record.route)
  end
  answer[i] = {record.route, record.phase, record.attempt, record.created, record.expiry, stored}
end
return answer
