-- KEYS: client keys. ARGV: route, token, lease for each. Answers the places of those not held.
local lost = {}
for i = 1, #KEYS do
  local record = load_record(KEYS[i], ARGV[3 * i - 2])
  if is_held(record, ARGV[3 * i - 1]) then
    record.lease_end = now + tonumber(ARGV[3 * i])
    save_record(record)
  else
    lost[#lost + 1] = i - 1
  end
end
return lost
