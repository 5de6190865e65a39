/** Examples of answers that are text, by operation, then by format. */
import { ARCHIVED_ORDER_UUID, ARCHIVED_SESSION_ID } from './archived-session.ts'
import { EXAMPLE_CURSOR } from './examples.ts'

export const TEXT_EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sessionCalendar: {
    calendar: `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:session.${ARCHIVED_SESSION_ID}@demo.sojourn
DTSTAMP:20250115T130000Z
DTSTART:20250115T130000Z
DTEND:20250124T090000Z
SUMMARY:White Winter
END:VEVENT
END:VCALENDAR
`,
  },
  guestArrivals: {
    calendar: `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:arrivals.2025-01-15@demo.sojourn
DTSTAMP:20250115T000000Z
DTSTART;VALUE=DATE:20250115
DTEND;VALUE=DATE:20250116
SUMMARY:Arrivals: 4
DESCRIPTION:Patient: 2\\nCompanion: 1\\nGuest: 1
END:VEVENT
END:VCALENDAR
`,
  },
  mealSkippingReport: {
    csv: `date,meal,id,name
2025-01-16,breakfast,booking-2025-1,Ioana Popescu
2025-01-16,breakfast,booking-2025-2,Mihai Popescu
`,
  },
  mealPortions: {
    csv: `date,row,field,id,label,allergy,room,diets,breakfast,lunch,dinner
2025-01-16,portions,,,,,,,2,4,4
2025-01-16,present,,,,,,,4,4,4
2025-01-16,skipping,,,,,,,2,0,0
`,
  },
  listGuests: {
    csv: `First name,Last name,Email,Start of stay,End of stay,Status,Role,Skipped meals: breakfast,Skipped meals: lunch,Skipped meals: dinner
Ioana,Popescu,ioana@example.com,2025-01-15,2025-01-24,Departed,Patient,2025-01-16,,
`,
    ndjson: `{"firstName":"Ioana","lastName":"Popescu","email":"ioana@example.com","startDate":"01/15/2025","endDate":"01/24/2025","status":"Departed","role":"Patient","skippingMeals":{"breakfast":["2025-01-16"],"lunch":[],"dinner":[]},"ids":{"role":"patient","status":"departed","sessionId":"${ARCHIVED_SESSION_ID}"}}
{"manifest":{"rows":1,"digest":"5bf867a3dde37872ae75fdb847124ff5d6cc6ec368945186aab535c6948f5b61","cursor":"${EXAMPLE_CURSOR}"}}
`,
  },
  listSessions: {
    csv: `_id,name,number,text,availablePrograms,availableUnits,startDate,endDate
${ARCHIVED_SESSION_ID},White Winter,W1,Ten days with daily treatments and a final talk.,"Restore & Rebuild, Rest & Sleep",Spring House,2025-01-15,2025-01-24
`,
  },
  listOrders: {
    csv: `uuid,orderNumber,orderDate,totalAmount,currency,status,paymentMethod,paymentStatus,items,createdAt,updatedAt
${ARCHIVED_ORDER_UUID},2025-W-1,2025-01-03,3099.98,EUR,Completed,Credit card,Paid,"1 × Complete (€1,850.00), 1 × Companion (€1,200.00), 2 × Herbal tea box (€24.99)",2025-01-03,2025-01-24
`,
  },
}
