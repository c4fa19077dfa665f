-- Removes a claim. KEYS: the client key. ARGV: the claim. Returns 1 if it was held. Notifies waiters
-- in any case: a receipt decides, and their interest may have been lost with the record.
local record = load_held(KEYS[1], ARGV[1])
if not record then
  publish(KEYS[1], sub(ARGV[1], 23))
  return 0
end
publish(record.key, route_of(record))
save(KEYS[1], '', record.others, record.others_end)
return 1
