-- After core.lua. KEYS: the client key. Returns {route, response, its hash} for each completed record.
local found = {}
local _, value = load_record(KEYS[1], '\0\0')
local at = 1
while at <= #value do
  local record = read_record(value, at)
  if record.phase == COMPLETED then
    local response = response_of(record)
    found[#found + 1] = {route_of(record), response, redis.sha1hex(response)}
  end
  at = at + record.bytes
end
return found
