import type { Random } from './random.ts'

/** Where a person of the demo comes from: it decides name, address and the form of numbers. */
export type Origin = 'ro' | 'no' | 'en'

type NameList = { female: readonly string[]; male: readonly string[]; last: readonly string[] }

const list = (names: string) => names.split(' ')

// Common first names with less common last names: the combinations are invented.
const namesByOrigin: Record<Origin, NameList> = {
  ro: {
    female: list(
      'Ana Ilinca Ștefania Măriuca Ioana Elena Raluca Crenguța Doina Ruxandra Simona Țincuța Anca Lăcrămioara Corina Mădălina Sânziana Viorica Bianca Otilia',
    ),
    male: list(
      'Andrei Ștefan Mihai Gheorghe Răzvan Cătălin Tudor Dănuț Ionuț Vlad Horia Bogdan Matei Petru Sorin Liviu Traian Nicușor Călin Emil',
    ),
    last: list(
      'Brădățan Cărbunaru Dumbrăveanu Fântânaru Ghețău Izvoranu Lăutaru Mărgineanu Năstase-Prună Olărescu Păstrăvaru Rășinaru Sălcianu Șoimaru Tămâiereanu Țărăncuță Ursăcescu Văleanu Zăpodeanu Bujoreanu Cireșaru Frăsinel Grădișteanu Hurmuzeanu Împărățel Livădaru Morăraș Nucșoreanu Pietrăreanu Stejărel',
    ),
  },
  no: {
    female: list(
      'Åse Kari Ingrid Solveig Bjørg Marit Astrid Gunnhild Ragnhild Sølvi Tone Hege Liv Målfrid Turid Åshild Eira Synnøve Torbjørg Hanne',
    ),
    male: list(
      'Bjørn Håkon Øystein Åge Lars Knut Torbjørn Sverre Pål Jørgen Eirik Frode Gøran Magnus Odd Trygve Åsmund Steinar Rolf Jostein',
    ),
    last: list(
      'Bjørkåsen Dalsrød Eikemoløkken Fjelløyå Granåsbakk Hasselstrøm Kvernåsen Lyngbråten Myrstølen Nesøyvåg Ospeløkken Rognlidal Sæterbråten Tjørnåsen Ulvøybakk Vårbekken Ågårdsmo Øverlidalen Bekkestølen Furuløkken',
    ),
  },
  en: {
    female: list(
      'Alice Beatrice Chloë Daphne Eleanor Fiona Grace Harriet Imogen Josephine Zoë Niamh Olivia Renée',
    ),
    male: list(
      'Arthur Barnaby Callum Desmond Edmund Fergus Graham Hugh Ivor Jasper Kenneth Leopold Noël Oscar',
    ),
    last: list(
      "Applewhistle Brackenford Cobblemere Dunsparrow Elderwick Foxhollow Greenthwaite Hartlebrook Inglemoss Larkenby Merrowdale Nettlefold-Hay O'Tarragh Pennywhittle Quillbrook Rushmarsh Silverthorn Thistleby Umberleigh-Moor Wrenfield",
    ),
  },
}

const femaleNorth = list('Sunniva Live Oddny Ragna Torunn Yngvild Svanhild Jorunn')
const maleNorth = list('Sivert Leiv Torgeir Ådne Vegard Halvard Brage Kjetil')

/** Last names of the second center's guests; nobody in the demo center carries one of them. */
const lastNamesOfOther = list(
  'Nordlysvik Polarsundet Isbreøyra Midnattsolberg Trollheimdal Rimfrosthaug Hvalfangerøy Vinternattmo Snøskavlen Tåkefjordnes',
)

/** A person's name, and whether it is a woman's. */
export type PersonName = { firstName: string; lastName: string; female: boolean }

/** Gives out full names, each at most once. */
export function createNames(random: Random) {
  const taken = new Set<string>()

  function unique(origins: NameList, wantedLastName?: string): PersonName {
    for (let attempt = 0; ; attempt += 1) {
      const female = random.chance(0.55)
      const firstName = random.pick(female ? origins.female : origins.male)
      // A family that has used up its first names goes on with another last name rather than for ever.
      const lastName = attempt < 20 && wantedLastName ? wantedLastName : random.pick(origins.last)
      const full = `${firstName} ${lastName}`
      if (taken.has(full)) continue
      taken.add(full)
      return { firstName, lastName, female }
    }
  }

  return {
    /** A name of that origin, with the given last name where a family shares one. */
    of: (origin: Origin, lastName?: string) => unique(namesByOrigin[origin], lastName),
    /** A name of somebody at the second center. */
    ofOther: () => unique({ female: femaleNorth, male: maleNorth, last: lastNamesOfOther }),
  }
}

const letters: Record<string, string> = { ø: 'o', æ: 'ae', å: 'a' }

/** The name as it is before the @ of an e-mail address: lower-case ASCII. */
export function mailbox(firstName: string, lastName: string): string {
  return `${firstName}.${lastName}`
    .toLowerCase()
    .replace(/[øæå]/g, (letter) => letters[letter]!)
    .normalize('NFD')
    .replace(/[^a-z.-]/g, '')
}
