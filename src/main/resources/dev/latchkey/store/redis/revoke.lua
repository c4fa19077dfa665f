-- Removes a claim. KEYS: the client key. ARGV: the claim. Returns 1 if it was held.
local record = load_held(KEYS[1], ARGV[1])
if not record then
  return 0
end
notify(record)
save(KEYS[1], '', record.others, 0)
return 1
