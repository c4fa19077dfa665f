-- Lists records. KEYS: the client key. ARGV: the limit. Returns {route, phase, attempt, created,
-- expiry, response or ''} for each record, oldest first.
local found = {}
local _, value = load_record(KEYS[1], '\0\0')
local at = 1
while at <= #value do
  local record = read_record(value, at)
  record.route = route_of(record)
  found[#found + 1] = record
  at = at + record.bytes
end
table.sort(found, function(one, other)
  if one.created ~= other.created then
    return one.created < other.created
  end
  return one.route < other.route
end)
local result = {}
for i = 1, math.min(#found, tonumber(ARGV[1])) do
  local record = found[i]
  local stored = ''
  if record.phase == COMPLETED then
    stored = response_of(record)
  end
  result[i] = {record.route, record.phase, record.attempt, record.created, record.expiry, stored}
end
return result
