-- Creates or replaces a customer. KEYS: customers. ARGV: id, time, If-Match, If-None-Match, content.
-- A condition is '' for none, '*' for any version, else versions with a space before and after each.
-- Returns {code, customer}: 0 the condition failed, 1 created, 2 replaced or unchanged. A customer is
-- format, version, created, updated, content.
local CUSTOMER = '>BI8I8I8'
local id, at, content = ARGV[1], tonumber(ARGV[2]), ARGV[5]

local function contains(condition, version)
  return condition == '*'
    or string.find(condition, ' ' .. string.format('%.0f', version) .. ' ', 1, true) ~= nil
end

local known = redis.call('HGET', KEYS[1], id)
local version, created, updated, known_content
if known then
  local format, start
  format, version, created, updated, start = struct.unpack(CUSTOMER, known)
  if format ~= 1 then
    error('LATCHKEYVERSION a customer has version ' .. format)
  end
  known_content = string.sub(known, start)
end
if ARGV[3] ~= '' and not (known and contains(ARGV[3], version)) then
  return {0}
end
if ARGV[4] ~= '' and known and contains(ARGV[4], version) then
  return {0}
end
if known_content == content then
  return {2, known}
end
local customer
if known then
  customer = struct.pack(CUSTOMER, 1, version + 1, created, math.max(updated, at)) .. content
else
  customer = struct.pack(CUSTOMER, 1, 1, at, at) .. content
end
redis.call('HSET', KEYS[1], id, customer)
return {known and 2 or 1, customer}
