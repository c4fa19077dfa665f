-- KEYS: client keys. ARGV: claim and lease for each. Answers the places of those not held.
local lost = {}
for i = 1, #KEYS do
  local record = load_held(KEYS[i], ARGV[2 * i - 1])
  if record then
    record.lease_end = now + ARGV[2 * i]
    save_record(record)
  else
    lost[#lost + 1] = i - 1
  end
end
return lost
