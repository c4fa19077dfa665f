-- KEYS: the client key. ARGV: the claim. Answers 1 when the record was held and is gone.
local record = load_held(KEYS[1], ARGV[1])
if not record then
  return 0
end
announce(record)
save(KEYS[1], '', record.others, 0)
return 1
