/**
 * Given names that a typing error could make of each other, without marks: of the first names of 40 languages in
 * @faker-js/faker (MIT), those that two languages have, in each spelling, and of which another one differs by a letter, or by
 * two of seven. Rarer names are not here, because an error makes one of them too often.
 */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `
aaliyah aaron abbigail abby abdul abdullah abe abel abelard abelardo abigaelle abigail abigale abraham aby abı ace achil
achille achim acim aculina ada adalbert adalberta adalberto adam adan addo adel adela adelaida adelaide adelajda adele adelia
adelin adelina adeline adeliya adell adella adelle adelya adem adi adil adina ado adolf adolfo adolph adriaan adrian adriana
adrianna adriano adrien adrienne adrijana afanasi afra agafia agata agatha agathon agaton aglae aglaia aglaja agnes agnesa
agustin ahmad ahmed ahmet aida aidan aiden aileen aime aimee aisha aissa aiyana ajan ajana ajda ajla ajlin ake aksel akım ala
alan alana alanna alba alban albert alberta alberte albertha albertina albertine alberto albertyna albin albina alda aldo alea
alec aleen alejandra alejandro alek aleksa aleksandar aleksander aleksandra aleksej aleksi aleksy alen alena alenka ales
alessandra alessandro alessia alessio alevtina alex alexa alexander alexandr alexandra alexandre alexandrea alexandrine
alexandros alexane alexanne alexei alexej alexia alexis alexys aleyna alfons alfonso alfred alfreda alfredo ali alia alica
alice alicia alicja alida alina aline alisa alisha alison alissa aliya aliyah alize alizee alka alla allan allegra allen
allison ally alma alois alojz alonzo aloys alphonso altea althea alton alva alvar alvin alvina alwar aly alya alyah alyce
alycia alysa alysha alyson alyssa alysson alzbeta amalia amalie amalija amanda amani amar amara amata amauri amaury amaya
amber ambra amelia amelie amelya amin amina amir amira ammar amos amy ana anabel anabela anabelle anae anais anar anastasia
anastasie anastasija anastasije anastazia anastazija anastazja anatol anatoli anatolia anatolie anatolii anca anda andel
andela andelin andelina anders andi andras andre andrea andreas andree andreea andrei andrej andreja andres andrew andri
andriana andrija andrijana andrina andy aneta anette angel angela angele angelica angelika angelina angeline angelique angelo
anghel anghelina angie ani ania anica anika anissa anita aniya anja anka anna annabel annabell annabella annabelle anne anneli
annetta annette anni annie annika anny ante antea anthony antigone antoine antoinette anton antonela antonella antoni antonia
antonie antonija antonin antonina antonio antony anya anđela anđelina apollo apollonia april aqil arabela arabella araceli
aracely arcadi arcadie arcadii archie arda ari aria ariadna arian ariana ariane arianna aric arie ariel ariele arielle arij
arija arijs aris aristide arkady arlene armand armando armida armin arnaldo arne arno arnold aron arsen arsenie arsenije
arthur arthus artur arturo artus arvid arwen arya aryanna arı arık asa asha ashley asia asija asil asiya asja assa assia assil
assya astrid astrida asya atanas atanasia atena athena atila atilla attila atıla aubrey audrey august augusta augustin
augustina augustine augustyn augustyna aura aurel aurelia aurelian aurelie aurelija aurelio aurora aurore austin austyn ava
awa axel axelle aya ayaan ayan ayana ayaz aydan ayden ayla ayleen aylin ayman aziz azra baran barbara barbora baris barry bart
barıs basil bastiaan bastian batuhan beata beatrice beatriz beau becky bela belinda bella ben benett beniamin benjamin bennet
bennett bennie benny bent bente benthe benyamin berat berenice berit bernard bernardo bernhard bernice bert berta bertha
bertram bertrand beryl bessie beth bethany beti betina betsy bettina betty beulah beverly bianca bianka bibiana bibianna
biljana bill billie billy birgita birgitta bjorn bjørn blahoslav blake blanca blanche blanka blaze blazej blazena bob bobbi
bobbie bobby bogdan bogdana bohdan bohdana bohumil bohumila bohumir bohuslav bohuslava bojan bojana boleslav boleslava bonnie
bora boris borislav borislava borjan borka borko borys bosko boyan boyd bozena bozica bozidar bozidara brad bradley brajan
brandi brando brandon brandy branimir branimira branislav branislava branka brankica branko bratislav brayan brenda brendan
brent bret brett brian brice bridget brigida brigita brigitta brigitte brit britt brittany bronislav bronislava brooke bruce
bruna bruno bryan bryant bryce brygida budimir byron błazej caio caitlin caitlyn cale caleb calin calina calista calvin
camelia cameron camil camila camilla camille camylle can candace candice candida candido canel cara carina carine carl carla
carles carli carlie carlo carlos carlota carlotta carlton carmela carmella carmelo carmen carmine carol carole carolin
carolina caroline carolyn carolyne carrie carroll cary casandra casey casian caspar casper cassandra cassandre cassie cataleya
catalina catarina caterina catharina catherine cathrine cathryn cathy catrin catrina cayla cazimir cecelia cecil cecile
cecilia cecilie cecylia cedomir cedric cedrick cedrik celen celeste celestin celestine celestyn celia celie celina celine cem
ceren cesar ceyda ceyla ceylin cezar chad chadd chai chanel charlene charles charli charlie charlotta charlotte charly chase
chaya chelsea chelsey cheryl chester chet cheyenne chiara chira chiril chirill chloe chris christ christa christelle
christiaan christian christiana christiane christiano christie christin christina christine christoffer christoph christophe
christopher christy ciara ciler cindy ciprian ciril cirilla cirillo ciro claas claes claire clara clarence clarisa clarissa
clark claude claudia claudie claudine claudio claus clavdia clay clayton clelia clemens clement clemente clementina clementine
cleo clifford clifton clint clinton cloe clyde coco cody cole colin colleen collin conner connie connor conor constantin
constantina cora coralia coralie cordelia corey corina corine corinna corinne cornel cornelia cornelius cornell corrine corvin
cory cosima cosma courtney craig crin cristal cristian cristiana cristiano cristin cristina cristobal cristofor cristopher
crystal ctibor cyprian cyra cyril cyrila cyryl daan dafina dafne dagmar dagmara dahlia daiana dajana dale dalia dalibor
dalibora daliborka dalida dalila dallas damaris damian damiana damien damir damjan damla damon dan dana danae dani danica
daniel daniela daniele daniella danielle daniil danijel danijela danika danil danila danilo danka danko danny dante dany
danyka danyl daphne daphnee daren daria darian dariana darija darin darina darinka dario darius darja darko darla darlene
darnell darrel darrell darren darrin darryl daryl dave davi david davide davin davy dawid dawn dax dayana dea dean deanna
debora deborah debra defne dejan delbert delfina delia della delores delphine denis denisa denise deniz dennis dereck derek
derick derrick desanka despina devin devyn dewey dexter dezider diana diane dianna dianne didier dijana dilan dilara dillan
dimitri dimitrii dimitrij dimitrije dina dino dion divna dmitri dmitrii dobrila dobromila dobromir dobromira dobroslav
dobroslava dolores domenic domenica domenick domenico domenik domingo dominic dominick dominik dominika dominique domnica don
dona donald donat donata donato donka donna donnie donny dora doreen dorian dorina doris dorota dorotea doroteja dorothea
dorothy dorris doyle draga dragan dragana dragisa dragomir dragoslav drahomir drahomira drahoslav drahoslava dua duane dusan
dusana dusanka duska dusko dustin dwayne dylan dyna earl earnest ebba ebony ecaterina eda edda eddi eddie eddy eden edgar
edgardo edita edite edith editta edmond edmund edna eduard eduarda eduardo edvard edvin edward edwin edyta edyth edythe eefje
eeva efe effie efim efraim efrem egor eileen ela elaine elbert elda elea eleanor eleanore eleazar elena eleni eleonora
eleonore elfrida eli elia eliah elian eliana eliane eliano elias elie elif elija elijah elin elina eline elinor elio eliot
eliott elisa elisabet elisabeta elisabeth elisabetta elisaveta elise elisee eliseo elisha eliska elissa eliza elizabet
elizabeth elizaveta elka ella ellen elli ellie elliot elliott ellis elly elmira elmo elodie eloi eloisa eloise eloy elsa else
elsie elvira elvis elwira elya elyas elyne elynn elyse elyssa elza ema emanoil emanuel emanuela emanuele emanuil emelie emely
emi emie emil emile emili emilia emilian emiliano emilie emilija emilijan emilio emily emin emir emma emmanuel emmanuelle
emmelie emmely emmet emmett emmi emmie emmy emre emy ena enea enes enio enna ennio enola enrico enrique ensar enya enyo enzo
ephraim erast eray eren eriberto eric erica erich erick ericka erik erika erin erma erna ernest ernestine ernesto ernst ervin
erwin eryn esma esra essie esteban estefania estela estella estelle ester estera esther etela ethan ethann ethel ethyl etienne
etil eudochia eudokia eugen eugene eugenia eugenie eula eulalia eulalie eunice eusebia eusebie eusebio eva evald evan
evangelina evangeline evanghelina evann evdochia evdokija eve eveliina evelin evelina eveline evelyn evelyne even everardo
evgheni evghenia evghenii evi evie evy ewa ewald ewan ewelina ewen ewenn eymen ezio ezra fabian fabiana fabiano fabien
fabienne fabijan fabio fabiola fabrice faik faiq faith fanni fannie fanny farah fatima fatma fay faye federico fedor fedora
felicia feliciano felicie felicita feliks felipe felix feodosia ferdinand ferdinanda ferdynanda fernando fevronia fidan
filibert filiberto filip filipa filipe filipp filippa filippo finia finja finn finnja fiona flavia flavie flavio floor flor
flora flore florence florencia florencja florentin florentina florentyn florentyna florian floriana florina florine floyd
flynn forest forrest franc franca frances francesca francesco francis francisca francisco franck franco francois francoise
frank franka frankie franklin frantisek frantiska franz fred freda freddie freddy frederic frederick frederik frederique
fredrick fredrik fredy freeda freja freya frida frieda friedrich fynn gabin gabriel gabriela gabriele gabriella gabrielle
gabrijela gael gaia gail gaja gal galina garett garik garret garrett garrick garry gary gaspar gaston gavril gavrilo gayle
gedeon gejza gema gemma gene geneva gennaro geoffrey georg george georges georgette georgia georgiana georgianna gerald
geraldine gerard gerardo gerasim gerazim gerazym gerda gerhard germaine german gerrit gertruda gertrude gheorghe gheorghi
gheorghii gherardo gherman ghita giada gian gianni gideon gilbert gilberto gilda giles gilles gina ginevra ginewra ginger gino
gioele gioia giorgia giorgio giovani giovanna giovanni giovanny gisela gisele gisella gisselle gita giulia giuliana giuliano
giulio giuseppe gizela gleb glen glenda glenn gloria goran gordan gordana gordon grace gracie graciela gradimir grady grant
gregor gregorio gregory greta grigori griselda gui guillermo gun gunay guner gunnar gunner gus gussie gust gustav gustave
gustavo guus guusje guy gwen gwendolyn hafsa hailey hakan hakim hale halle hana hanae hanna hannah hanne hans harald harold
harriet harry hasan hassan hatem hattie hayden hayley heda hedda hedi heidi helen helena helene helin hellen heloise hendrik
henri henrich henrick henrieta henrietta henriette henrik henry henryk herbert herman hermann hermina hermine herta hertha
hilary hilda hillary hira holly homer horace horacio hubert hugh hugo hulya iacob iacov iago ian iana ianina ianis ianna ianos
iaroslav iaroslava iasmina ibrahim ida idris idriss ignac ignacio ignacy ignat igor ila ilai ilaria ilarion ilay ilayda ileana
ilenia ilhan ilia ilian iliana ilias ilija ilinca ilinka ilja iljana ilona ilyan ilyana ilyas ilyass imani imelda imke
immanuel imran ina inara inaya ines inesa inessa inez inga ingrid ingrida inka inna innocenty ioan ioana iolanda iole ion iona
iosefina iosif ira iraida irem irena irene irina iris irma irvin irving irwin iryna isa isaac isabeau isabel isabela isabell
isabella isabelle isac isadora isai isaiah isaias isak ise isee ishaq isidor isidora isis ismael ismail isra israa israel issa
issac iulia iulian iuliana iuri iurii iustin iustina iva ivan ivana ivanka ivanna ivar iveta ivetta ivica ivo ivona ivone
ivonne ivy iwan iyed izaak izabela izabella izak izidor izolda izydor jace jacinthe jack jackie jackson jacky jacob jacqueline
jacquelyn jacques jacynthe jada jade jaden jadranka jadranko jaeden jaelynn jaida jaiden jailyn jaime jairo jake jakob jakov
jakub jale jalyn jamaal jamal james jamie jammie jan jana janae jane janelle janet jani janice janick janie janina janine
janis janiya janja janka janko janna janne janni jannie jannik jannis janos janosch jany jaquelin jaqueline jara jared jaren
jari jarmila jarne jarod jarolim jaromil jaromir jaron jaroslav jaroslava jarred jarrod jasen jasin jasmijn jasmin jasmina
jasmine jasna jason jasper javier jaxon jay jayce jaycee jayda jayden jaylen jaylin jaylinn jayme jayson jazlyn jazmin jazmyn
jazzlyn jazzlynn jean jeanette jeanie jeanne jeannette jeannie jed jef jeff jeffery jeffrey jela jelena jelica jella jena
jenifer jenna jennie jennifer jenny jennyfer jens jeppe jerald jeremi jeremiah jeremias jeremie jeremy jermaine jerome jerry
jesika jesper jess jesse jessica jessie jessika jessy jessyca jet jett jette jillian jimi jimmie jimmy jirina joachim joah
joakim joan joana joann joanna joanne joanny joany joaquim joaquin job jocelyn jodi jody joel joeline joelle joes joey johan
johana johann johanna johanne johannes john johnathan johnnie johnny jolana jolanda jolie jolien jolijn jolin joline jon jona
jonah jonas jonatan jonathan jonathon jonna joost jordan jordana jordi jordy jorge jorgen joris jose josef josefa josefin
josefina josefine joseph josephin josephine josh joshua josiane josianne josie josse jost josua josue jovan jovana joy joyce
joze jozef jozefina jozue juan juana juanita juda jude judita judith judy judyta jule jules julia julian juliana juliane
julianne julie julien julieta juliette julija julijana julio juna june jure juri jurre justin justina justine justyn justyna
jørgen kaan kaarina kacper kady kadı kaelyn kai kaia kailee kaitlin kaitlyn kaj kaja kale kaleb kalistrat kalle kamelya
kameron kamil kamila kamile kamilla kamille kamran kara karen kari karim karin karina karine karl karla karli karlie karlo
karlotta karmela karmen karol karoliina karolina karoline kasandra kasey kasian kaspar kasper kassandra kassim kasım kata
katariina katarina kate katerina katharina katherine kathleen kathrin kathrine kathryn kathryne kathy katia katie katija
katina katja katrin katrina katrine kattie kay kaya kayden kayla kaylee kayleigh kazimir keano keanu keeley keely keenan keet
keira keith kellen kelley kelli kellie kelly kelvin kelya ken kenan kendra kenji kenneth kenny kent kenza kenzo kerem keren
kerim kerry kevin keyla khadija khady khalil kian kiana kianna kiano kiara kiarra kiel kilian killian kilyan kim kira kirilo
kirk kirsten kiyan kjell klaas klara klaudia klaudie klaus klemens klement klementina klementyna kliment kobe kody kole
konstantin konstantyn kora koralia koray korey korina korinna kornel korneli kornelia kornelius kory kosma kraig krijn kris
kriss krista kristen kristi kristian kristiana kristie kristiina kristijan kristin kristina kristine kristjan kristof
kristofer kristoffer kristopher kristy kristyna krsto krystal krystian krystina krystof krystyna kuzman kyan kyano kyara kyle
kylee kyler kylian kyliann kyllian kyra lada ladislau ladislav laila lamar lambert lamia lana lance lara larisa larissa larry
lars larysa lasse latoya laura laure laureen lauren laurence laurens laurent lauri lauriane laurianne laurie laurin laurine
laury lauryn laverne lavinia lawrence layla lazar lazaro lazzaro lea leah lean leana leander leandra leandro leane leann
leanna leanne leda leena leif leigh leila lejla lela leland lelia len lena lene leni lenia lenja lenka lenn lenna lennart
lenne lennert lenni lennie lenny leny lenya leo leon leona leonard leonardo leone leonel leoni leonid leonida leonidas leonie
leonne leonor leonora leontin leontina leontine leontyn leontyna leopold leopoldo leroy leslie lester leticia letitia letizia
lev levent levi levin levy lew lewin lewis lexi lexie leyla lia liah liam lian liana lias lica lida lidia lidija liisa lila
lili lilia lilian liliana liliane lilianna lilie liliya lilla lilli lillian lilliana lillie lilly lily lilya lilyan lina linda
lindsay lindsey line linn linne linnea lino linus lio lion lionel lisa lisandro lisanne lisbeth lise liuba liudmila liv liva
livia livija livio liya liyah liyam liyan liyana liz liza lize lizz ljiljana ljuba ljubica ljubisa ljubomir lloyd lois lola
longin lonie lonnie lora loraine loredana loreen loren lorena lorene lorenz lorenza lorenzo loreta loretta lori lorin loris
lorna lorraine lota lotta lotte lou louay louie louis louisa louise lourdes luan luana lubomir lubomira lubor lubos luboslav
luboslava luc luca lucas lucca luce lucia lucian luciana luciano lucie lucien lucienne lucija lucijan lucile lucille lucio
lucja lucjan lucy ludmila ludovic ludovica ludvig ludvik ludvika ludwig ludwik ludwika luella luena luis luisa luise luiza
lujza luk luka lukas luke lula luna luuk luz lya lyam lyan lyana lyda lydia lydie lyla lyle lylia lyn lyna lynda lyne lynette
lynn lynne lysanne maaike maarit maarten mabel mable mac maci mack macy madalena madalin madalyn maddalena madeleine madeline
mads maelie maeve mafalda magali magda magdalena maggie mahir mai maia maida maija maike maira maissa maite maiya maja majda
makar maks maksim maksym malena malia malick malik malika malin malina mallie malou malte malthe malvina malwina mamie mandy
manel manfred manon manuel manuela mara marc marcel marcela marcelina marcell marcella marcello marcelo marcheta marcia marco
marcos marcu marcus mare marek maren margaret margareta margarett margaretta margarita margie margita margot marguerite mari
maria mariam marian mariana mariane marianna marianne mariano marica marie mariela mariella marieta marietta marija marijan
marijana marijn marika marilena marilou marilyn marin marina marinela marinella marino mario marion marisa marisol marissa
marit marita marius marja marjan marjane marjeta mark marketa markku marko markus marleen marlen marlena marlene marley marli
marlo marlon marly marques marrit marsha marshall marta marte marten martha marthe martim martin martina martine martti marty
martyna marvin marwa marwin mary maryam maryann maryjane marylou maryna masa mason massimo mate matei matej mateja mateo
mateus mateusz matheo matheus mathew mathias mathijs mathilda mathilde mathis mathys matias matija matilda matilde matis
matiss mats matt matteo mattheo matthew matthias matthijs matthis matti mattia mattias mattie mattis matyas matylda matys maud
maude maureen maurice mauricio mauro max maxim maxima maxime maxine may maya mayra maysa mayssa mayte mecislav mecislava
medard medina megan megane meghan meike melania melanie melany melek melike melina melinda melis melisa melissa melita mellina
melodi melody melvin melvyn melyna melyssa merle merlin mert merve mervin mete mette mia mica micael micaela micah micha
michael michaela michal michala michał micheal michel michele michelle mick mickael mija mik mika mikael mikaela mikail mike
mikel mikkel mikko mikulas mila milada milan milana mildred mile milena miles milic milica milik milivoj milka milla mille
milly milo milorad milos miloslav miloslava milota milovan milton milutin mima mimma mina mindy minerva minna minnie miodrag
mir mira mirabela mirac miran miranda miray mirco mireille mirela mirella miriam mirjam mirjana mirka mirko mirna miro miron
miroslav miroslava mirza mitchel mitchell miya mladen modest modesto mohamad mohamed mohammad mohammed moira moises molly mona
monica monika monique morgan morgana moric moris morris morten mose moses moshe moussa mstislav muhammad muhammed muriel musa
mya myla mylan mylene myles mylo myra myriam myrna myron myrtle nada nadia nadine nadir nadja nahid nahil naia nail naim naja
nana nanna naomi naomie napoleon narcis narcisa narciso natalia natalie natalija natan natanael nataniel natasa natasha
nathalie nathan nathanael nathaniel naya nazary nazim nazım nađa neal nebojsa neda neela neele neil nela nele neli nelia nella
nelle nelli nellie nelly nelya nena nenad neo nestor nettie neva neven nevena nevenka nevin nevio nia nicanor nichifor
nicholas nichole nick nicklas nicklaus nickolas niclas nico nicodim nicola nicolae nicolai nicolas nicole nicoleta nicoletta
nicon niels nik nika nike nikki nikko niklas niklaus niko nikodem nikola nikolai nikolas nikoleta nikolina nil nila nils nina
nine nino nisa noa noah noam noan noel noelia noella noelle noemi noemie noemy nola nolan nolann nomi nona nonna noor nora
norah norbert norberto norina norma norman nour nova nya oceane octavia octavian oda odin odon ofelia ofelie ofelya ognjana
oktavian olaf oldrich ole oleg oleksandr olena olga olimpia olimpiada olive oliver olivera olivia olivier olivija oliwia
oliwier olle ollie olympia omar omer ona ondrej onur oona opal ophelia ophelie ora oran oren orest orhan oriana orlando
ornella oscar oskar osman osvald osvaldo oswald oswaldo ota otha otho otilia otilie otilija otis oto ottilia ottilie ottis
otto otylie owen oxana pablo palmira pam pamela paola paolo paris pascal pascale paskal pasquale pat patrice patricia
patricija patrick patrik patrizia patrycja patryk patsy patti patty paul paula paulette pauliina paulina pauline pavel pavle
pavlina paweł pearl pedro peer peggy pelaghia pelagia pelagie penelopa penelope penny per percy peri perla pero perry petar
pete peter petr petra petre petronela petronila petronilla phil philibert philip philipp philippa philippe phillip phoebe
phyllis pia pierre pio platon polina pravoslav preston prince prisca priscila priscilla priska prokop quentin quieta quin
quinn quinten rachael rachel rachela rachele rachelle radim radimir radislav radmila radomir radoslav radoslava radovan rafael
rafaela rafał raffaele raffaella rahel raimund raina rainer rainold raisa rajko rajmund rajna rajnold rajsa ralf ralph ramiro
ramon ramona rana randal randall randi randolf randolph randy rania ranko ranya raoul raphael raphaelle raquel rastislav
ratibor ratimir ratmir raul ray rayan rayen raymond rayyan rea reghina regina reginald reina remo renat renata renate renato
rene renee reyna rhea rhianna rhonda ria rian riana ricardo riccarda riccardo richard richarda rick rickard rickey ricky rico
riitta rija rike rikke riley rina rino ristana rita roan robert roberta roberto robin robyn rocco roch rochelle rocio roderick
roderik roderyk rodion rodney rodolfo rodrigo rogelio rohan rok roko roksana roland rolando rolf roman romana romina romuald
romulus romy ron ronald ronja ronnie roos rosa rosalia rosalie rosalinda rosamunda rosana rosanna rosario rose roselin rosella
roselyn rosemarie rosemary rosie rosina ross rossana rossella rossie rostislav rostislava rowan roxana roxane roxanne roy roza
rozalia rozalija rozina ruby rudolf rudolph rudy ruedi rumena ruslan ruslana rut ruta ruth ruya ruza ruzena ryan ryann ryley
saad saba sabina sabine sabri sabrina sabryna sadie sadye safa safae safia safira safiya said salih salim sally salma salome
salomea salomon salvador salvatore sam samanta samantha samara sami samia samir samira sammie sammy samson samuel samuele samy
sana sanaa sanda sander sandra sandrine sandro sandy sanja sanna sanne santiago santina santino santos saphira sara sarah sari
sarina sarra sasa sascha sasha saskia saul sava savanah savannah savina savva sayan scarlett sean sebastiaan sebastian
sebastjan sedrick sedrik selena selene selim selin selina selma sena senna serafim serafima serafin serafina seraphin serena
serge sergei sergej sergey serghei sergi sergio seth severin seweryn shad shaina shana shane shani shania shaniya shanna
shannon shanny shanon shany shari sharon shaun shawn shawna shayan shayna sheila shelia shelley shelly sheri sherman sherri
sherry sheryl sidney sidonia sidonie siena sienna silas silje silvan silvana silvester silvestr silvia silvie silvija silvio
simeon simion simon simona simone sina sinan sinica sinikka siro skarlet skye slava slavek slavica slavka slavko slavomir
slobodan slobodanka snezana sofia sofie sofija solange sona sonia sonja sonya sophia sophie soraia soraya soren stacey stacy
stan stanimir stanislav stanislava stanisław stanley stasa steen steeve stef stefan stefana stefania stefanie steffen stela
stella sten stepan stephan stephane stephania stephanie stephany stephen steve steven stewart stojan stojanka stuart susan
susana susanna susanne susie suzana suzanne svatopluk sven svetlana svitlana sydney sylvan sylvester sylvia sylvie sylwester
sylwia søren sıla tadeas taha tahir talia talya tamara tami tamia tammy tania tanja tanya tara taras tarik tarja tarık tasa
tasha tatiana tatjana tatyana tea tecla ted teddy teea teja tekla teo teodor teodora teodoro teodosia teofan teona terence
teresa tereza terezia terezija teri terrance terrence terri terry tess tessa tetiana thalia thea thelma theo theodor theodora
theodore theofan theresa therese thiago thies thom thomas tia tiago tiana tianna tibor tichomir tichon ties tiffany tihomir
tiina tija tijana til till tim timm timmothy timmy timo timofei timon timotei timotej timoteo timothy tina tine tirone tito
tobin toby tod todd todor tom toma tomas tome tomislav tommie tommy toni tonija tony tonya tosca toska tracey traci tracy
traian trajan tricia trine tristan troy trycia trystan tuana tycho tyler tymon tyron tyrone ugo uliana ulisse ulrich ulrik
ulrika ulysse una unna uriel vadim vala valentijn valentin valentina valentine valentino valentyn valentyna valeri valeria
valerian valerie valerii valerija valery valid valter van vance vanda vanesa vanessa vania vanja varvara vasil vasili vasilina
vasilisa vela velimir velio vella velma vendel vendelin venera veniamin vera verda verena verica verna verner vernon verona
veronica veronika veronique vesna vicente vicki vickie vicky victor victoria victorin vida viggo vigo viktor viktoria
viktorija viktorin vilem vilfredo vilhelm vilhelmine villy vilma vince vincenc vincent vincenza vincenzo viola violet violeta
violetta violette virginia virginie visarion vit vita vitali vitalii vitalijs vitalina vito vitoria vittoria vivian viviana
viviane vivianne vivien vivienne vlad vlada vladana vladimir vladimira vladislav vladislava vladlen vlado vlastimil vlastimir
vojislava vojslav vojslava vratislav vseslav vuk wade walentyn walentyna waleria walerian walery walid walter wanda wanesa
warren wayne wendell werner weronika wiktor wiktoria wilbert wilbur wilfred wilfredo wilfrid wilfryd wilhelm wilhelmina
wilhelmine willard willem willi willie willis willy wilma wilson winifred winnifred winston wirginia witalis władysław xander
xaver xavier yaelle yago yahya yana yani yanis yann yanni yannic yannick yannik yannis yara yaren yaron yasin yasmin yasmina
yasmine yassin yassine yazmin yoan yoann yoel yohan yohann yolanda yolande yona yossef younes youness yousef youssef yse ysee
yuna yunus yuri yvan yves yvette yvonne zac zaccaria zach zachar zacharia zachary zack zackary zafir zahra zaira zakaria
zakariya zakary zakarya zana zaneta zanna zara zayd zdenka zdenko zehra zelda zelmira zena zeno zeyd ziad zina zinaida zion
zita ziva ziyad zlata zlatan zlatica zlatka zlatko zlatomir zoey zofia zofija zoia zoja zoltan zora zoran zorina zorka zosima
zuzana zuzanna zyad đina łucja αθανασια αλεξανδρα αλεξανδρος αναστασια ανδρεας αννα γεωργια ελενη εμμανουηλ ηλιας ιωαννα
κωνσταντινα λεωνιδας μαρια μιχαηλ σοφια χριστινα ава агата агафья агафія агнеса ада адам аделаіда аделіна адриан адріана
адріян азарии азаріи аким акулина алевтина александар александр александра алексеи алина алла альберт альбіна альвіна аліна
амос ана анастасия анастасија анастасія анатолии анатоліи анатолія ангел ангела ангеле ангелина ангеліна андреи андреј андреја
андріи анжела анна анте антон антонин антонина антониј антоніи антоніна антонія аполлонія аркадии аркадіи арсен арсении
арсениј арсеніи артем архип атанас атанасија афанасии афанасіи билјана блаже богдан богдана божена божидар болеслав болеслава
борис борислав борислава борка борко борјан бошко боян бојан бојана бранка бранко братислав бронислав броніслава будимир
біляна вадим валентин валентина валерии валерия валерьян валеріи валерія ванче варвара васил василии василина василиса василиј
василь вања велимир вениамин вера вероника весна вељо виктор викторин виктория виолета виссарион виталии влад влада владимир
владислав владислава владлен владо властимир воислав всеслав віктор вікторія віола віолетта віргінія віта віталіи віталіна
габриела гаврил гаврило галина гедеон георги георгии георгіи герасим герман глеб горан гордана градимир григории григоріи
давид давыд дамјан дамјана дана даниел данила данило данка данчо дарина даринка дарко дарья дафина денис десанка деспина дејан
дивна димитрие димитриј дмитрии добрила добринка добромила добромир добромира добромисл добромысл доброслав доброслава домника
донка драга драган драгана драгиша драгомир драгослав душан душанка душка душко діана діяна ева евгении евгения евгениј
евгенија евдокия евдокија егор екатерина елена елеонора елизавета елисавета елка емануел емил есма ефим ефрем жанна зафир
захар захариј захаріи зинаида злата златан златко златомир зора зоран зорина зорка зосима зоя зінаіда ива иван ивана иванка
иванна иво игнат игор игорь изяслав иларион илинка илија илья иннокентии иосиф ираида ирина исаи исак исидор казимир калина
каллистрат карл каріна касьян ката катерина катина катја ким кира кирил кирилл киро клавдия клавдія климент коле константин
константина корнеліи кочо крсто кузман кузьма лаврентии лаврентіи лада ладислав лазар лазарь лариса лев лена леон леонид лидия
лидија лика лилјана лина лонгин лора лука лукия лукьян любомир людмила лідія лілія магдалена маия макар максим мара маргарита
мариан марика марин марина мария марија марк марко марта мартын марічка марія марјан мате матеја меланија меланія мечислав
мечислава милан миле милена милии милица милка милован милослава милош мина миодраг мир мирка мирко мирон мирослав мирослава
мирјана михаил михаило михајло михо мичо младен модест мстислав мілана нада надія назар назаріи наркис наталья наталія натан
наум небојша невенка неда неля ненад нестор никанор никифор никодим никола николаи николина никон нина нонна ніна огняна
оксана олга олег олександр олена оливер оливера олимпиада ольга орест оріяна остап павел павле павлина павліна паскал пелагея
пелагија пелагія перо петар петр петра петре пимен платон полина поліна потап прохор радим радимир радислав радмила радміла
радован радослава раиса ранко ратибор ратимир ратмир рахела раіна раіса рајко рајна регина ристана родион родіон роман роса
ростислав ростислава ружа румена руслан руслана сава савва самсон самуил сандра сара сашка светлана святополк світлана серафим
серафима сергеи сергіи сила сильвестр симон симона слава славка славко славомир славчо слободан слободанка снежана соня софия
софија софія станимир станислав станислава станіслав степан стефан стефанија стефаніи стоян стојан стојанка сузана тамара
тарас татьяна татјана теодор теодора теодосија теофан тетяна тимофеи тихо тихомир тихон тодор томе томислав трајан ульяна
фаина фаіна феврония февронія федор федора феликс феодосія филип филипп флорентин христина христијан христофор чедомир эдуард
элеонора эмилия эмиль эммануил эраст эрнест эрнст юлиан юлия юліан юліанна юлія юрии юріи юстина яков якуб яна яромил яромир
ярослав ярослава єреміи іван іванна ігор ізяслав ілля ілона інна іннеса ірина ірма јадранка јаков јана јане јанка јасна јоаким
јован јована јордан јордана јосиф јулијана љуба љубиша љубомир
`.split(/\s+/),
)
