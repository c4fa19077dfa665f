-- After core.lua. KEYS: the client key. Returns {route, response} for each completed record.
local found = {}
local _, value = load_record(KEYS[1], '\0\0')
local at = 1
while at <= #value do
  local record = read_record(value, at)
  if record.phase == COMPLETED then
    found[#found + 1] = {route_of(record), response_of(record)}
  end
  at = at + record.bytes
end
return found
