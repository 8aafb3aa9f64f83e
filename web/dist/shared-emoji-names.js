var g=`# Smileys
😀 grinning face cheerful cheery grin happy laugh nice smile smiling teeth
😃 smiley grinning face with big eyes awesome grin happy mouth open smile smiling teeth yay
😄 smile grinning face with smiling eyes eye grin happy laugh lol mouth open
😁 grin beaming face with smiling eyes eye grinning happy nice smile teeth
😆 laughing,satisfied grinning squinting face closed eyes haha hahaha happy laugh lol mouth open rofl smile smiling
😅 sweat_smile grinning face with cold dejected excited mouth nervous open smiling stress stressed
🤣 rolling_on_the_floor_laughing crying face funny haha happy hehe hilarious joy laugh lmao lol rofl roflmao tear
😂 joy face with tears of crying feels funny haha happy hehe hilarious laugh lmao lol rofl roflmao tear
🙂 slightly_smiling_face happy smile
🙃 upside_down_face hehe smile
🫠 melting_face disappear dissolve embarrassed haha heat hot liquid lol melt sarcasm sarcastic
😉 wink winking face flirt heartbreaker sexy slide tease winks
😊 blush smiling face with eyes eye glad satisfied smile
😇 innocent smiling face with halo angel angelic angels blessed fairy fairytale fantasy happy peaceful smile spirit tale
🥰 smiling_face_with_3_hearts adore crush heart ily love romance smile you
😍 heart_eyes smiling face with 143 bae eye feels hearts ily kisses love romance romantic smile xoxo
🤩 star-struck,grinning_face_with_star_eyes excited smile starry eyed wow
😘 kissing_heart face blowing a kiss adorbs bae flirt ily love lover miss muah romantic smooch xoxo you
😗 kissing face 143 date dating flirt ily kiss love smooch smooches xoxo you
☺️ relaxed smiling face happy outlined smile
😚 kissing_closed_eyes face with 143 bae blush date dating eye flirt ily kisses smooches xoxo
😙 kissing_smiling_eyes face with 143 closed date dating eye flirt ily kiss kisses love night smile
🥲 smiling_face_with_tear glad grateful happy joy pain proud relieved smile smiley touched
😋 yum face savoring food delicious eat full hungry savor smile smiling tasty um yummy
😛 stuck_out_tongue face with awesome cool nice party sweet
😜 stuck_out_tongue_winking_eye face with crazy epic funny joke loopy nutty party wacky weirdo wink yolo
🤪 zany_face,grinning_face_with_one_large_and_one_small_eye crazy eyes goofy
😝 stuck_out_tongue_closed_eyes squinting face with eye gross horrible omg taste whatever yolo
🤑 money_mouth_face paid
🤗 hugging_face smiling with open hands hug
🤭 face_with_hand_over_mouth,smiling_face_with_smiling_eyes_and_hand_covering_mouth giggle giggling oops realization secret shock sudden surprise whoops
🫢 face_with_open_eyes_and_hand_over_mouth amazement awe disbelief embarrass gasp omg quiet scared shock surprise
🫣 face_with_peeking_eye captivated embarrass hide hiding peek peep scared shy stare
🤫 shushing_face,face_with_finger_covering_closed_lips quiet shh shush
🤔 thinking_face chin consider hmm ponder pondering wondering
🫡 saluting_face good luck ma am ok respect salute sir troops yes
🤐 zipper_mouth_face keep quiet secret shut zip
🤨 face_with_raised_eyebrow,face_with_one_eyebrow_raised disapproval disbelief distrust emoji hmm mild skeptic skeptical skepticism surprise what
😐 neutral_face awkward blank deadpan expressionless fine jealous meh oh shade straight unamused unhappy unimpressed whatever
😑 expressionless face awkward dead fine inexpressive jealous meh not oh omg straight uh unhappy unimpressed whatever
😶 no_mouth face without awkward blank expressionless mouthless mute quiet secret silence silent speechless
🫥 dotted_line_face depressed disappear hidden hide introvert invisible meh whatever wtv
😶‍🌫️ face_in_clouds absentminded fog head
😏 smirk smirking face boss dapper flirt homie kidding leer shade slick sly smug snicker suave suspicious swag
😒 unamused face bored fine jealous jel jelly pissed smh ugh uhh unhappy weird whatever
🙄 face_with_rolling_eyes eyeroll shade ugh whatever
😬 grimacing face awk awkward dentist grimace grinning smile smiling
😮‍💨 face_exhaling blow blowing exhale exhausted gasp groan relief sigh smiley smoke whisper whistle
🤥 lying_face liar lie pinocchio
🫨 shaking_face crazy daze earthquake omg panic shock surprise vibrate whoa wow
🙂‍↔️ head_shaking_horizontally no shake
🙂‍↕️ head_shaking_vertically nod yes
😌 relieved face calm peace relief zen
😔 pensive face awful bored dejected died disappointed losing lost sad sucks
😪 sleepy face crying good night sad sleep sleeping tired
🤤 drooling_face
😴 sleeping face bed bedtime good goodnight nap night sleep tired whatever yawn zzz
🫩 face_with_bags_under_eyes bored exhausted fatigued late sleepy tired weary
😷 mask face with medical cold dentist dermatologist doctor dr germs medicine sick
🤒 face_with_thermometer ill sick
🤕 face_with_head_bandage hurt injury ouch
🤢 nauseated_face gross nasty sick vomit
🤮 face_vomiting,face_with_open_mouth_vomiting barf ew gross puke sick spew throw up vomit
🤧 sneezing_face fever flu gesundheit sick sneeze
🥵 hot_face dying feverish heat panting red faced stroke sweating tongue
🥶 cold_face blue faced freezing frostbite icicles subzero teeth
🥴 woozy_face dizzy drunk eyes intoxicated mouth tipsy uneven wavy
😵 dizzy_face with crossed out eyes dead feels knocked sick tired
😵‍💫 face_with_spiral_eyes confused dizzy hypnotized omg smiley trouble whoa woah woozy
🤯 exploding_head,shocked_face_with_exploding_head blown explode mind mindblown no way
🤠 face_with_cowboy_hat cowgirl
🥳 partying_face bday birthday celebrate celebration excited happy hat hooray horn party
🥸 disguised_face disguise eyebrow glasses incognito moustache mustache nose person spy tache tash
😎 sunglasses smiling face with awesome beach bright bro chilling cool rad relaxed shades slay smile style swag win
🤓 nerd_face brainy clever expert geek gifted glasses intelligent smart
🧐 face_with_monocle classy fancy rich stuffy wealthy
😕 confused face befuddled confusing dunno frown hm meh not sad sorry sure
🫤 face_with_diagonal_mouth confused confusion disappointed doubt doubtful frustrated frustration meh skeptical unsure whatever wtv
😟 worried face anxious butterflies nerves nervous sad stress stressed surprised worry
🙁 slightly_frowning_face frown sad
☹️ white_frowning_face frown sad
😮 open_mouth face with believe forgot omg shocked surprised sympathy unbelievable unreal whoa wow you
😯 hushed face epic omg stunned surprised whoa woah
😲 astonished face cost no omg shocked totally way
😳 flushed face amazed awkward crazy dazed dead disbelief embarrassed geez heat hot impressed jeez what wow
🫪 distorted_face anxiety bloated panic shocked surprised vulnerable
🥺 pleading_face begging big eyes mercy not please pretty puppy sad why
🥹 face_holding_back_tears admiration aww cry embarrassed feelings grateful gratitude joy please proud resist sad
😦 frowning face with open mouth caught frown guard scared scary surprise what wow
😧 anguished face forgot scared scary stressed surprise unhappy what wow
😨 fearful face afraid anxious blame fear scared worried
😰 cold_sweat anxious face with blue eek mouth nervous open rushed scared yikes
😥 disappointed_relieved sad but face anxious call close complicated not sweat time whew
😢 cry crying face awful feels miss sad tear triste unhappy
😭 sob loudly crying face bawling cry sad tear tears unhappy
😱 scream face screaming in fear epic fearful munch scared screamer shocked surprised woah
😖 confounded face annoyed confused cringe distraught feels frustrated mad sad
😣 persevere persevering face concentrate concentration focus headache
😞 disappointed face awful blame dejected fail losing sad unhappy
😓 sweat downcast face with close cold feels headache nervous sad scared yikes
😩 weary face crying fail feels hungry mad nooo sad sleepy tired unhappy
😫 tired_face cost feels nap sad sneeze
🥱 yawning_face bedtime bored goodnight nap night sleep sleepy tired whatever yawn zzz
😤 triumph face with steam from nose anger angry feels fume fuming furious fury mad unhappy won
😡 rage enraged face anger angry feels mad maddening pouting red shade unhappy upset
😠 angry face anger blame feels frustrated mad maddening rage shade unhappy upset
🤬 face_with_symbols_on_mouth,serious_face_with_symbols_covering_mouth censor cursing cussing mad pissed swearing
😈 smiling_imp face with horns demon devil evil fairy fairytale fantasy purple shade smile tale
👿 imp angry face with horns demon devil evil fairy fairytale fantasy mischievous purple shade tale
💀 skull body dead death face fairy fairytale i m lmao monster tale yolo
☠️ skull_and_crossbones bone dead death face monster
💩 hankey,poop,shit pile of poo bs comic doo dung face fml monster smelly smh stink stinks stinky turd
🤡 clown_face
👹 japanese_ogre creature devil face fairy fairytale fantasy mask monster scary tale
👺 japanese_goblin angry creature face fairy fairytale fantasy mask mean monster tale
👻 ghost boo creature excited face fairy fairytale fantasy halloween haunting monster scary silly tale
👽 alien creature extraterrestrial face fairy fairytale fantasy monster space tale ufo
👾 space_invader alien monster creature extraterrestrial face fairy fairytale fantasy game gamer games pixelated tale ufo
🤖 robot_face monster
😺 smiley_cat grinning animal face mouth open smile smiling
😸 smile_cat grinning with smiling eyes animal eye face grin
😹 joy_cat with tears of animal face laugh laughing lol tear
😻 heart_eyes_cat smiling with animal eye face love smile
😼 smirk_cat with wry smile animal face ironic
😽 kissing_cat animal closed eye eyes face kiss
🙀 scream_cat weary animal face oh surprised
😿 crying_cat_face animal cry sad tear
😾 pouting_cat animal face
🙈 see_no_evil monkey embarrassed face forbidden forgot gesture hide omg prohibited scared secret smh watch
🙉 hear_no_evil monkey animal ears face forbidden gesture listen not prohibited secret shh tmi
🙊 speak_no_evil monkey animal face forbidden gesture not oops prohibited quiet secret stealth
💌 love_letter heart mail romance valentine
💘 cupid heart with arrow 143 adorbs date emotion ily love romance valentine
💝 gift_heart with ribbon 143 anniversary emotion ily kisses valentine xoxo
💖 sparkling_heart 143 emotion excited good ily kisses morning night sparkle xoxo
💗 heartpulse growing heart 143 emotion excited ily kisses muah nervous pulse xoxo
💓 heartbeat beating heart 143 cardio emotion ily love pulsating pulse
💞 revolving_hearts 143 adorbs anniversary emotion heart
💕 two_hearts 143 anniversary date dating emotion heart ily kisses love loving xoxo
💟 heart_decoration 143 emotion hearth purple white
❣️ heavy_heart_exclamation_mark_ornament punctuation
💔 broken_heart break crushed emotion heartbroken lonely sad
❤️‍🔥 heart_on_fire burn love lust sacred
❤️‍🩹 mending_heart healthier improving recovering recuperating well
❤️ heart red emotion love
🩷 pink_heart 143 adorable cute emotion ily like love special sweet
🧡 orange_heart 143
💛 yellow_heart 143 cardiac emotion ily love
💚 green_heart 143 emotion ily love romantic
💙 blue_heart 143 emotion ily love romance
🩵 light_blue_heart 143 cute cyan emotion ily like love sky special teal
💜 purple_heart 143 bestest emotion ily love
🤎 brown_heart 143
🖤 black_heart evil wicked
🩶 grey_heart 143 emotion gray ily love silver slate special
🤍 white_heart 143
💋 kiss mark dating emotion heart kissing lips romance sexy
💯 100 hundred points a agree clearly definitely faithful fleek full keep perfect point score true truth yup
💢 anger symbol angry comic mad upset
🫯 fight_cloud argument brawl debate disagreement ruckus wrestle
💥 boom,collision bomb collide comic explode
💫 dizzy comic shining shooting star stars
💦 sweat_drops droplets comic drip droplet splashing squirt water wet work workout
💨 dash dashing away cloud comic fart fast go gone gotta running smoke
🕳️ hole
💬 speech_balloon bubble comic dialog message sms talk text typing
👁️‍🗨️ eye-in-speech-bubble balloon witness
🗨️ left_speech_bubble balloon dialog
🗯️ right_anger_bubble angry balloon mad
💭 thought_balloon bubble cartoon cloud comic daydream decisions dream idea invent invention realize think thoughts wonder
💤 zzz comic good goodnight night sleep sleeping sleepy tired
# People
👋* wave waving hand bye cya g2g greetings gtg hello hey hi later outtie ttfn ttyl yo you
🤚* raised_back_of_hand backhand
🖐️* raised_hand_with_fingers_splayed finger stop
✋* hand,raised_hand 5 five high stop
🖖* spock-hand vulcan salute finger hands
🫱* rightwards_hand handshake hold reach right rightward shake
🫲* leftwards_hand handshake hold left leftward reach shake
🫳* palm_down_hand dismiss drop dropped pick shoo up
🫴* palm_up_hand beckon catch come hold know lift me offer tell
🫷* leftwards_pushing_hand block five halt high hold leftward pause push refuse slap stop wait
🫸* rightwards_pushing_hand block five halt high hold pause push refuse rightward slap stop wait
👌* ok_hand awesome bet dope fleek fosho got gotcha legit okay pinch rad sure sweet three
🤌* pinched_fingers gesture hand hold huh interrogation patience relax sarcastic ugh what zip
🤏* pinching_hand amount bit fingers little small sort
✌️* v victory hand peace
🤞* crossed_fingers,hand_with_index_and_middle_fingers_crossed cross finger luck
🫰* hand_with_index_finger_and_thumb_crossed 3 expensive heart love money snap
🤟* i_love_you_hand_sign gesture fingers ily three
🤘* the_horns,sign_of_the_horns finger hand rock on
🤙* call_me_hand hang loose shaka
👈* point_left backhand index pointing finger hand
👉* point_right backhand index pointing finger hand
👆* point_up_2 backhand index pointing finger hand
🖕* middle_finger,reversed_hand_with_middle_finger_extended
👇* point_down backhand index pointing finger hand
☝️* point_up index pointing finger hand this
🫵* index_pointing_at_the_viewer finger hand poke you
👍* +1,thumbsup thumbs up 1 good hand like thumb yes
👎* -1,thumbsdown thumbs down bad dislike good hand no nope thumb
✊* fist raised clenched hand punch solidarity
👊* facepunch,punch oncoming fist absolutely agree boom bro bruh bump clenched correct hand knuckle pound rock ttyl
🤛* left-facing_fist leftwards
🤜* right-facing_fist rightwards
👏* clap clapping hands applause approval awesome congrats congratulations excited good great hand homie job nice prayed well yay
🙌* raised_hands raising celebration gesture hand hooray praise
🫶* heart_hands 3 love you
👐* open_hands hand hug jazz swerve
🤲* palms_up_together cupped dua hands pray prayer wish
🤝* handshake agreement deal hand meeting shake
🙏* pray folded hands appreciate ask beg blessed bow cmon five gesture hand high please thanks thx
✍️* writing_hand write
💅* nail_care polish bored cosmetics done makeup manicure whatever
🤳* selfie camera phone
💪* muscle flexed biceps arm beast bench bodybuilder bro curls flex gains gym jacked press ripped strong weightlift
🦾 mechanical_arm accessibility prosthetic
🦿 mechanical_leg accessibility prosthetic
🦵* leg bent foot kick knee limb
🦶* foot ankle feet kick stomp
👂* ear body ears hear hearing listen listening sound
🦻* ear_with_hearing_aid accessibility hard
👃* nose body noses nosey odor smell smells
🧠 brain intelligent smart
🫀 anatomical_heart beat cardiology heartbeat organ pulse real red
🫁 lungs breath breathe exhalation inhalation lung organ respiration
🦷 tooth dentist pearly teeth white
🦴 bone bones dog skeleton wishbone
👀 eyes body eye face googly look looking omg peep see seeing
👁️ eye 1 body one
👅 tongue body lick slurp
👄 lips mouth beauty body kiss kissing lipstick
🫦 biting_lip anxious bite fear flirt flirting kiss lipstick nervous sexy uncomfortable worried worry
👶* baby babies children goo infant newborn pregnant young
🧒* child bright eyed grandchild kid young younger
👦* boy bright eyed child grandson kid son young younger
👧* girl bright eyed child daughter granddaughter kid virgo young younger zodiac
🧑* adult person
👱* person_with_blond_hair haired human
👨* man adult bro
🧔* bearded_person beard whiskers
🧔‍♂️* man_with_beard bearded whiskers
🧔‍♀️* woman_with_beard bearded whiskers
👨‍🦰* red_haired_man hair adult bro
👨‍🦱* curly_haired_man hair adult bro
👨‍🦳* white_haired_man hair adult bro
👨‍🦲* bald_man adult bro
👩* woman adult lady
👩‍🦰* red_haired_woman hair adult lady
🧑‍🦰* red_haired_person hair adult
👩‍🦱* curly_haired_woman hair adult lady
🧑‍🦱* curly_haired_person hair adult
👩‍🦳* white_haired_woman hair adult lady
🧑‍🦳* white_haired_person hair adult
👩‍🦲* bald_woman adult lady
🧑‍🦲* bald_person adult
👱‍♀️* blond-haired-woman hair blonde
👱‍♂️* blond-haired-man hair
🧓* older_adult person elderly grandparent old wise
👴* older_man old adult bald elderly gramps grandfather grandpa wise
👵* older_woman old adult elderly grandma grandmother granny lady wise
🙍* person_frowning annoyed disappointed disgruntled disturbed frown frustrated gesture irritated upset
🙍‍♂️* man-frowning annoyed disappointed disgruntled disturbed frown frustrated gesture irritated upset
🙍‍♀️* woman-frowning annoyed disappointed disgruntled disturbed frown frustrated gesture irritated upset
🙎* person_with_pouting_face disappointed downtrodden frown grimace scowl sulk upset whine
🙎‍♂️* man-pouting disappointed downtrodden frown grimace scowl sulk upset whine
🙎‍♀️* woman-pouting disappointed downtrodden frown grimace scowl sulk upset whine
🙅* no_good person gesturing forbidden gesture hand not prohibit
🙅‍♂️* man-gesturing-no forbidden gesture hand not prohibit
🙅‍♀️* woman-gesturing-no forbidden gesture hand not prohibit
🙆* ok_woman person gesturing exercise gesture hand omg
🙆‍♂️* man-gesturing-ok exercise gesture hand omg
🙆‍♀️* woman-gesturing-ok exercise gesture hand omg
💁* information_desk_person tipping hand fetch flick flip gossip sarcasm sarcastic sassy seriously whatever
💁‍♂️* man-tipping-hand fetch flick flip gossip sarcasm sarcastic sassy seriously whatever
💁‍♀️* woman-tipping-hand fetch flick flip gossip sarcasm sarcastic sassy seriously whatever
🙋* raising_hand person gesture here know me pick question raise
🙋‍♂️* man-raising-hand gesture here know me pick question raise
🙋‍♀️* woman-raising-hand gesture here know me pick question raise
🧏* deaf_person accessibility ear gesture hear
🧏‍♂️* deaf_man accessibility ear gesture hear
🧏‍♀️* deaf_woman accessibility ear gesture hear
🙇* bow person bowing apology ask beg favor forgive gesture meditate meditation pity regret sorry
🙇‍♂️* man-bowing apology ask beg bow favor forgive gesture meditate meditation pity regret sorry
🙇‍♀️* woman-bowing apology ask beg bow favor forgive gesture meditate meditation pity regret sorry
🤦* face_palm person facepalming again bewilder disbelief exasperation facepalm no not oh omg shock smh
🤦‍♂️* man-facepalming again bewilder disbelief exasperation facepalm no not oh omg shock smh
🤦‍♀️* woman-facepalming again bewilder disbelief exasperation facepalm no not oh omg shock smh
🤷* shrug person shrugging doubt dunno guess idk ignorance indifference knows maybe whatever who
🤷‍♂️* man-shrugging doubt dunno guess idk ignorance indifference knows maybe shrug whatever who
🤷‍♀️* woman-shrugging doubt dunno guess idk ignorance indifference knows maybe shrug whatever who
🧑‍⚕️* health_worker doctor healthcare nurse therapist
👨‍⚕️* male-doctor man health worker healthcare nurse therapist
👩‍⚕️* female-doctor woman health worker healthcare nurse therapist
🧑‍🎓* student graduate
👨‍🎓* male-student man graduate
👩‍🎓* female-student woman graduate
🧑‍🏫* teacher instructor lecturer professor
👨‍🏫* male-teacher man instructor lecturer professor
👩‍🏫* female-teacher woman instructor lecturer professor
🧑‍⚖️* judge justice law scales
👨‍⚖️* male-judge man justice law scales
👩‍⚖️* female-judge woman justice law scales
🧑‍🌾* farmer gardener rancher
👨‍🌾* male-farmer man gardener rancher
👩‍🌾* female-farmer woman gardener rancher
🧑‍🍳* cook chef
👨‍🍳* male-cook man chef
👩‍🍳* female-cook woman chef
🧑‍🔧* mechanic electrician plumber tradesperson
👨‍🔧* male-mechanic man electrician plumber tradesperson
👩‍🔧* female-mechanic woman electrician plumber tradesperson
🧑‍🏭* factory_worker assembly industrial
👨‍🏭* male-factory-worker man assembly industrial
👩‍🏭* female-factory-worker woman assembly industrial
🧑‍💼* office_worker architect business manager white collar
👨‍💼* male-office-worker man architect business manager white collar
👩‍💼* female-office-worker woman architect business manager white collar
🧑‍🔬* scientist biologist chemist engineer mathematician physicist
👨‍🔬* male-scientist man biologist chemist engineer mathematician physicist
👩‍🔬* female-scientist woman biologist chemist engineer mathematician physicist
🧑‍💻* technologist coder computer developer inventor software
👨‍💻* male-technologist man coder computer developer inventor software
👩‍💻* female-technologist woman coder computer developer inventor software
🧑‍🎤* singer actor entertainer rock rockstar star
👨‍🎤* male-singer man actor entertainer rock rockstar star
👩‍🎤* female-singer woman actor entertainer rock rockstar star
🧑‍🎨* artist palette
👨‍🎨* male-artist man palette
👩‍🎨* female-artist woman palette
🧑‍✈️* pilot plane
👨‍✈️* male-pilot man plane
👩‍✈️* female-pilot woman plane
🧑‍🚀* astronaut rocket space
👨‍🚀* male-astronaut man rocket space
👩‍🚀* female-astronaut woman rocket space
🧑‍🚒* firefighter fire firetruck
👨‍🚒* male-firefighter man fire firetruck
👩‍🚒* female-firefighter woman fire firetruck
👮* cop police officer apprehend arrest citation law over pulled undercover
👮‍♂️* male-police-officer man apprehend arrest citation cop law over pulled undercover
👮‍♀️* female-police-officer woman apprehend arrest citation cop law over pulled undercover
🕵️* sleuth_or_spy detective
🕵️‍♂️* male-detective man sleuth spy
🕵️‍♀️* female-detective woman sleuth spy
💂* guardsman guard buckingham helmet london palace
💂‍♂️* male-guard man buckingham helmet london palace
💂‍♀️* female-guard woman buckingham helmet london palace
🥷* ninja assassin fight fighter hidden person secret skills sly soldier stealth war
👷* construction_worker build fix hardhat hat man person rebuild remodel repair work
👷‍♂️* male-construction-worker man build fix hardhat hat rebuild remodel repair work
👷‍♀️* female-construction-worker woman build fix hardhat hat man rebuild remodel repair work
🫅* person_with_crown monarch noble regal royal royalty
🤴* prince crown fairy fairytale fantasy king royal royalty tale
👸* princess crown fairy fairytale fantasy queen royal royalty tale
👳* man_with_turban person wearing
👳‍♂️* man-wearing-turban
👳‍♀️* woman-wearing-turban
👲* man_with_gua_pi_mao person skullcap cap chinese guapi hat
🧕* person_with_headscarf woman bandana head hijab kerchief mantilla tichel
🤵* person_in_tuxedo formal wedding
🤵‍♂️* man_in_tuxedo formal groom wedding
🤵‍♀️* woman_in_tuxedo formal wedding
👰* bride_with_veil person wedding
👰‍♂️* man_with_veil wedding
👰‍♀️* woman_with_veil bride wedding
🤰* pregnant_woman
🫃* pregnant_man belly bloated full overeat
🫄* pregnant_person belly bloated full overeat stuffed
🤱* breast-feeding baby mom mother nursing woman
👩‍🍼* woman_feeding_baby feed mom mother nanny newborn nursing
👨‍🍼* man_feeding_baby dad father feed nanny newborn nursing
🧑‍🍼* person_feeding_baby feed nanny newborn nursing parent
👼* angel baby church face fairy fairytale fantasy tale
🎅* santa claus celebration christmas fairy fantasy father holiday merry tale xmas
🤶* mrs_claus,mother_christmas celebration fairy fantasy holiday merry santa tale xmas
🧑‍🎄* mx_claus celebration christmas fairy fantasy holiday merry santa tale xmas
🦸* superhero good hero superpower
🦸‍♂️* male_superhero man good hero superpower
🦸‍♀️* female_superhero woman good hero heroine superpower
🦹* supervillain bad criminal evil superpower villain
🦹‍♂️* male_supervillain man bad criminal evil superpower villain
🦹‍♀️* female_supervillain woman bad criminal evil superpower villain
🧙* mage fantasy magic play sorcerer sorceress sorcery spell summon witch wizard
🧙‍♂️* male_mage man fantasy magic play sorcerer sorceress sorcery spell summon witch wizard
🧙‍♀️* female_mage woman fantasy magic play sorcerer sorceress sorcery spell summon witch wizard
🧚* fairy fairytale fantasy myth person pixie tale wings
🧚‍♂️* male_fairy man fairytale fantasy myth oberon person pixie puck tale wings
🧚‍♀️* female_fairy woman fairytale fantasy myth person pixie tale titania wings
🧛* vampire blood dracula fangs halloween scary supernatural teeth undead
🧛‍♂️* male_vampire man blood fangs halloween scary supernatural teeth undead
🧛‍♀️* female_vampire woman blood fangs halloween scary supernatural teeth undead
🧜* merperson creature fairytale folklore ocean sea siren trident
🧜‍♂️* merman creature fairytale folklore neptune ocean poseidon sea siren trident triton
🧜‍♀️* mermaid creature fairytale folklore merwoman ocean sea siren trident
🧝* elf elves enchantment fantasy folklore magic magical myth
🧝‍♂️* male_elf man elves enchantment fantasy folklore magic magical myth
🧝‍♀️* female_elf woman elves enchantment fantasy folklore magic magical myth
🧞 genie djinn fantasy jinn lamp myth rub wishes
🧞‍♂️ male_genie man djinn fantasy jinn lamp myth rub wishes
🧞‍♀️ female_genie woman djinn fantasy jinn lamp myth rub wishes
🧟 zombie apocalypse dead halloween horror scary undead walking
🧟‍♂️ male_zombie man apocalypse dead halloween horror scary undead walking
🧟‍♀️ female_zombie woman apocalypse dead halloween horror scary undead walking
🧌 troll fairy fantasy monster tale trolling
🫈 hairy_creature bigfoot cryptid forest giant sasquatch woodwose yeti
💆* massage person getting face headache relax relaxing salon soothe spa tension therapy treatment
💆‍♂️* man-getting-massage face headache relax relaxing salon soothe spa tension therapy treatment
💆‍♀️* woman-getting-massage face headache relax relaxing salon soothe spa tension therapy treatment
💇* haircut person getting barber beauty chop cosmetology cut groom hair parlor shears style
💇‍♂️* man-getting-haircut barber beauty chop cosmetology cut groom hair parlor person shears style
💇‍♀️* woman-getting-haircut barber beauty chop cosmetology cut groom hair parlor person shears style
🚶* walking person amble gait hike man pace pedestrian stride stroll walk
🚶‍♂️* man-walking amble gait hike pace pedestrian stride stroll walk
🚶‍♀️* woman-walking amble gait hike man pace pedestrian stride stroll walk
🚶‍➡️* person_walking_facing_right amble gait hike man pace pedestrian stride stroll walk
🚶‍♀️‍➡️* woman_walking_facing_right amble gait hike man pace pedestrian stride stroll walk
🚶‍♂️‍➡️* man_walking_facing_right amble gait hike pace pedestrian stride stroll walk
🧍* standing_person stand
🧍‍♂️* man_standing stand
🧍‍♀️* woman_standing stand
🧎* kneeling_person kneel knees
🧎‍♂️* man_kneeling kneel knees
🧎‍♀️* woman_kneeling kneel knees
🧎‍➡️* person_kneeling_facing_right kneel knees
🧎‍♀️‍➡️* woman_kneeling_facing_right kneel knees
🧎‍♂️‍➡️* man_kneeling_facing_right kneel knees
🧑‍🦯* person_with_probing_cane white accessibility blind
🧑‍🦯‍➡️* person_with_white_cane_facing_right accessibility blind probing
👨‍🦯* man_with_probing_cane white accessibility blind
👨‍🦯‍➡️* man_with_white_cane_facing_right accessibility blind probing
👩‍🦯* woman_with_probing_cane white accessibility blind
👩‍🦯‍➡️* woman_with_white_cane_facing_right accessibility blind probing
🧑‍🦼* person_in_motorized_wheelchair accessibility
🧑‍🦼‍➡️* person_in_motorized_wheelchair_facing_right accessibility
👨‍🦼* man_in_motorized_wheelchair accessibility
👨‍🦼‍➡️* man_in_motorized_wheelchair_facing_right accessibility
👩‍🦼* woman_in_motorized_wheelchair accessibility
👩‍🦼‍➡️* woman_in_motorized_wheelchair_facing_right accessibility
🧑‍🦽* person_in_manual_wheelchair accessibility
🧑‍🦽‍➡️* person_in_manual_wheelchair_facing_right accessibility
👨‍🦽* man_in_manual_wheelchair accessibility
👨‍🦽‍➡️* man_in_manual_wheelchair_facing_right accessibility
👩‍🦽* woman_in_manual_wheelchair accessibility
👩‍🦽‍➡️* woman_in_manual_wheelchair_facing_right accessibility
🏃* runner,running person fast hurry marathon move quick race racing run rush speed
🏃‍♂️* man-running fast hurry marathon move quick race racing run rush speed
🏃‍♀️* woman-running fast hurry marathon move quick race racing run rush speed
🏃‍➡️* person_running_facing_right fast hurry marathon move quick race racing run rush speed
🏃‍♀️‍➡️* woman_running_facing_right fast hurry marathon move quick race racing run rush speed
🏃‍♂️‍➡️* man_running_facing_right fast hurry marathon move quick race racing run rush speed
🧑‍🩰* ballet_dancer
💃* dancer woman dancing dance elegant festive flair flamenco groove let s salsa tango
🕺* man_dancing dance dancer elegant festive flair flamenco groove let s salsa tango
🕴️* man_in_business_suit_levitating person
👯* dancers people with bunny ears bestie bff counterpart dancer double ear identical pair party partying soulmate twin twinsies
👯‍♂️* men-with-bunny-ears-partying,man-with-bunny-ears-partying bestie bff counterpart dancer double ear identical pair party people soulmate twin twinsies
👯‍♀️* women-with-bunny-ears-partying,woman-with-bunny-ears-partying bestie bff counterpart dancer double ear identical pair party people soulmate twin twinsies
🧖* person_in_steamy_room day luxurious pamper relax sauna spa steam steambath unwind
🧖‍♂️* man_in_steamy_room day luxurious pamper relax sauna spa steam steambath unwind
🧖‍♀️* woman_in_steamy_room day luxurious pamper relax sauna spa steam steambath unwind
🧗* person_climbing climb climber mountain rock scale up
🧗‍♂️* man_climbing climb climber mountain rock scale up
🧗‍♀️* woman_climbing climb climber mountain rock scale up
🤺 fencer person fencing sword
🏇* horse_racing jockey racehorse riding sport
⛷️ skier ski snow
🏂* snowboarder ski snow snowboard sport
🏌️* golfer person golfing ball birdie caddy driving golf green pga putt range tee
🏌️‍♂️* man-golfing ball birdie caddy driving golf green pga putt range tee
🏌️‍♀️* woman-golfing ball birdie caddy driving golf green pga putt range tee
🏄* surfer person surfing beach ocean sport surf swell waves
🏄‍♂️* man-surfing beach ocean sport surf surfer swell waves
🏄‍♀️* woman-surfing beach ocean person sport surf surfer swell waves
🚣* rowboat person rowing boat canoe cruise fishing lake oar paddle raft river row
🚣‍♂️* man-rowing-boat canoe cruise fishing lake oar paddle raft river row rowboat
🚣‍♀️* woman-rowing-boat canoe cruise fishing lake oar paddle raft river row rowboat
🏊* swimmer person swimming freestyle sport swim triathlon
🏊‍♂️* man-swimming freestyle sport swim swimmer triathlon
🏊‍♀️* woman-swimming freestyle man sport swim swimmer triathlon
⛹️* person_with_ball bouncing athletic basketball championship dribble net player throw
⛹️‍♂️* man-bouncing-ball athletic basketball championship dribble net player throw
⛹️‍♀️* woman-bouncing-ball athletic basketball championship dribble net player throw
🏋️* weight_lifter person lifting weights barbell bodybuilder deadlift powerlifting weightlifter workout
🏋️‍♂️* man-lifting-weights barbell bodybuilder deadlift lifter powerlifting weight weightlifter workout
🏋️‍♀️* woman-lifting-weights barbell bodybuilder deadlift lifter powerlifting weight weightlifter workout
🚴* bicyclist person biking bicycle bike cycle cyclist riding sport
🚴‍♂️* man-biking bicycle bicyclist bike cycle cyclist riding sport
🚴‍♀️* woman-biking bicycle bicyclist bike cycle cyclist riding sport
🚵* mountain_bicyclist person biking bicycle bike cycle cyclist riding sport
🚵‍♂️* man-mountain-biking bicycle bicyclist bike cycle cyclist riding sport
🚵‍♀️* woman-mountain-biking bicycle bicyclist bike cycle cyclist riding sport
🤸* person_doing_cartwheel cartwheeling active excited flip gymnastics happy somersault
🤸‍♂️* man-cartwheeling active cartwheel excited flip gymnastics happy somersault
🤸‍♀️* woman-cartwheeling active cartwheel excited flip gymnastics happy somersault
🤼* wrestlers people wrestling combat duel grapple ring tournament wrestle
🤼‍♂️* man-wrestling men combat duel grapple ring tournament wrestle
🤼‍♀️* woman-wrestling women combat duel grapple ring tournament wrestle
🤽* water_polo person playing sport swimming waterpolo
🤽‍♂️* man-playing-water-polo sport swimming waterpolo
🤽‍♀️* woman-playing-water-polo sport swimming waterpolo
🤾* handball person playing athletics ball catch chuck hurl lob pitch sport throw toss
🤾‍♂️* man-playing-handball athletics ball catch chuck hurl lob pitch sport throw toss
🤾‍♀️* woman-playing-handball athletics ball catch chuck hurl lob pitch sport throw toss
🤹* juggling person act balance balancing handle juggle manage multitask skill
🤹‍♂️* man-juggling act balance balancing handle juggle manage multitask skill
🤹‍♀️* woman-juggling act balance balancing handle juggle manage multitask skill
🧘* person_in_lotus_position cross legged legs meditation peace relax serenity yoga yogi zen
🧘‍♂️* man_in_lotus_position cross legged legs meditation peace relax serenity yoga yogi zen
🧘‍♀️* woman_in_lotus_position cross legged legs meditation peace relax serenity yoga yogi zen
🛀* bath person taking bathtub tub
🛌* sleeping_accommodation person in bed bedtime good goodnight hotel nap night sleep tired zzz
🧑‍🤝‍🧑 people_holding_hands bae bestie bff couple dating flirt friends hand hold twins
👭* two_women_holding_hands,women_holding_hands bae bestie bff couple dating flirt friends girls hand hold sisters twins
👫* man_and_woman_holding_hands,woman_and_man_holding_hands,couple bae bestie bff dating flirt friends hand hold twins
👬* two_men_holding_hands,men_holding_hands bae bestie bff boys brothers couple dating flirt friends hand hold twins
💏* couplekiss kiss anniversary babe bae couple date dating heart love mwah person romance together xoxo
👩‍❤️‍💋‍👨 woman-kiss-man anniversary babe bae couple date dating heart love mwah person romance together xoxo
👨‍❤️‍💋‍👨 man-kiss-man anniversary babe bae couple date dating heart love mwah person romance together xoxo
👩‍❤️‍💋‍👩 woman-kiss-woman anniversary babe bae couple date dating heart love mwah person romance together xoxo
💑* couple_with_heart anniversary babe bae dating kiss love person relationship romance together you
👩‍❤️‍👨 woman-heart-man couple with anniversary babe bae dating kiss love person relationship romance together you
👨‍❤️‍👨 man-heart-man couple with anniversary babe bae dating kiss love person relationship romance together you
👩‍❤️‍👩 woman-heart-woman couple with anniversary babe bae dating kiss love person relationship romance together you
👨‍👩‍👦 man-woman-boy family child
👨‍👩‍👧 man-woman-girl family child
👨‍👩‍👧‍👦 man-woman-girl-boy family child
👨‍👩‍👦‍👦 man-woman-boy-boy family child
👨‍👩‍👧‍👧 man-woman-girl-girl family child
👨‍👨‍👦 man-man-boy family child
👨‍👨‍👧 man-man-girl family child
👨‍👨‍👧‍👦 man-man-girl-boy family child
👨‍👨‍👦‍👦 man-man-boy-boy family child
👨‍👨‍👧‍👧 man-man-girl-girl family child
👩‍👩‍👦 woman-woman-boy family child
👩‍👩‍👧 woman-woman-girl family child
👩‍👩‍👧‍👦 woman-woman-girl-boy family child
👩‍👩‍👦‍👦 woman-woman-boy-boy family child
👩‍👩‍👧‍👧 woman-woman-girl-girl family child
👨‍👦 man-boy family child
👨‍👦‍👦 man-boy-boy family child
👨‍👧 man-girl family child
👨‍👧‍👦 man-girl-boy family child
👨‍👧‍👧 man-girl-girl family child
👩‍👦 woman-boy family child
👩‍👦‍👦 woman-boy-boy family child
👩‍👧 woman-girl family child
👩‍👧‍👦 woman-girl-boy family child
👩‍👧‍👧 woman-girl-girl family child
🗣️ speaking_head_in_silhouette face speak
👤 bust_in_silhouette mysterious shadow
👥 busts_in_silhouette bff bust everyone friend friends people
🫂 people_hugging comfort embrace farewell friendship goodbye hello hug love thanks
👪 family child
🧑‍🧑‍🧒 family_adult_adult_child
🧑‍🧑‍🧒‍🧒 family_adult_adult_child_child
🧑‍🧒 family_adult_child
🧑‍🧒‍🧒 family_adult_child_child
👣 footprints barefoot clothing footprint omw print walk
🫆 fingerprint clue crime detective forensics identity mystery print safety trace
# Nature
🐵 monkey_face animal banana
🐒 monkey animal banana
🦍 gorilla animal
🦧 orangutan animal ape monkey
🐶 dog face adorbs animal pet puppies puppy
🐕 dog2 dog animal animals dogs pet
🦮 guide_dog accessibility animal blind
🐕‍🦺 service_dog accessibility animal assistance
🐩 poodle animal dog fluffy
🐺 wolf animal face
🦊 fox_face animal
🦝 raccoon animal curious sly
🐱 cat face animal kitten kitty pet
🐈 cat2 cat animal animals cats kitten pet
🐈‍⬛ black_cat animal feline halloween meow unlucky
🦁 lion_face alpha animal leo mane order rawr roar safari strong zodiac
🐯 tiger face animal big cat predator
🐅 tiger2 tiger animal big cat predator zoo
🐆 leopard animal big cat predator zoo
🐴 horse face animal dressage equine farm horses
🫎 moose alces animal antlers elk mammal
🫏 donkey animal ass burro hinny mammal mule stubborn
🐎 racehorse horse animal equestrian farm racing
🦄 unicorn_face
🦓 zebra_face animal stripe
🦌 deer animal
🦬 bison animal buffalo herd wisent
🐮 cow face animal farm milk moo
🐂 ox animal animals bull farm taurus zodiac
🐃 water_buffalo animal zoo
🐄 cow2 cow animal animals farm milk moo
🐷 pig face animal bacon farm pork
🐖 pig2 pig animal bacon farm pork sow
🐗 boar animal pig
🐽 pig_nose animal face farm smell snout
🐏 ram animal aries horns male sheep zodiac zoo
🐑 sheep ewe animal baa farm female fluffy lamb wool
🐐 goat animal capricorn farm milk zodiac
🐪 dromedary_camel animal desert hump one
🐫 camel two hump animal bactrian desert
🦙 llama alpaca animal guanaco vicuna wool
🦒 giraffe_face animal spots
🐘 elephant animal
🦣 mammoth animal extinction large tusk wooly
🦏 rhinoceros animal
🦛 hippopotamus animal hippo
🐭 mouse face animal
🐁 mouse2 mouse animal animals
🐀 rat animal
🐹 hamster animal face pet
🐰 rabbit face animal bunny pet
🐇 rabbit2 rabbit animal bunny pet
🐿️ chipmunk animal squirrel
🦫 beaver animal dam teeth
🦔 hedgehog animal spiny
🦇 bat animal vampire
🐻 bear animal face grizzly growl honey
🐻‍❄️ polar_bear animal arctic white
🐨 koala animal australia bear down face marsupial under
🐼 panda_face animal bamboo
🦥 sloth lazy slow
🦦 otter animal fishing playful
🦨 skunk animal stink
🦘 kangaroo animal joey jump marsupial
🦡 badger animal honey pester
🐾 feet,paw_prints paws print
🦃 turkey bird gobble thanksgiving
🐔 chicken animal bird ornithology
🐓 rooster animal bird ornithology
🐣 hatching_chick animal baby bird egg
🐤 baby_chick animal bird ornithology
🐥 hatched_chick front facing baby animal bird newborn ornithology
🐦 bird animal ornithology
🐧 penguin animal antarctica bird ornithology
🕊️ dove_of_peace bird fly ornithology
🦅 eagle animal bird ornithology
🦆 duck animal bird ornithology
🦢 swan animal bird cygnet duckling ornithology ugly
🦉 owl animal bird ornithology wise
🦤 dodo animal bird extinction large ornithology
🪶 feather bird flight light plumage
🦩 flamingo animal bird flamboyant ornithology tropical
🦚 peacock animal bird colorful ornithology ostentatious peahen pretty proud
🦜 parrot animal bird ornithology pirate talk
🪽 wing angelic ascend aviation bird fly flying heavenly mythology soar
🐦‍⬛ black_bird animal beak caw corvid crow ornithology raven rook
🪿 goose animal bird duck flock fowl gaggle gander geese honk ornithology silly
🐦‍🔥 phoenix ascend ascension emerge fantasy firebird glory immortal rebirth reincarnation reinvent renewal revival revive rise transform
🐸 frog animal face
🐊 crocodile animal zoo
🐢 turtle animal terrapin tortoise
🦎 lizard animal reptile
🐍 snake animal bearer ophiuchus serpent zodiac
🐲 dragon_face animal fairy fairytale tale
🐉 dragon animal fairy fairytale knights tale
🦕 sauropod brachiosaurus brontosaurus dinosaur diplodocus
🦖 t-rex dinosaur tyrannosaurus
🐳 whale spouting animal beach face ocean
🐋 whale2 whale animal beach ocean
🐬 dolphin,flipper animal beach ocean
🫍 orca marine ocean whale
🦭 seal animal lion ocean sea
🐟 fish animal dinner fishes fishing pisces zodiac
🐠 tropical_fish animal fishes
🐡 blowfish animal fish
🦈 shark animal fish
🐙 octopus animal creature ocean
🐚 shell spiral animal beach conch sea
🪸 coral change climate ocean reef sea
🪼 jellyfish animal aquarium burn invertebrate jelly life marine ocean ouch plankton sea sting stinger tentacles
🦀 crab cancer zodiac
🦞 lobster animal bisque claws seafood
🦐 shrimp food shellfish small
🦑 squid animal food mollusk
🦪 oyster diving pearl
🐌 snail animal escargot garden nature slug
🦋 butterfly insect pretty
🐛 bug animal garden insect
🐜 ant animal garden insect
🐝 bee,honeybee animal bumblebee honey insect nature spring
🪲 beetle animal bug insect
🐞 ladybug,lady_beetle animal garden insect ladybird nature
🦗 cricket animal bug grasshopper insect orthoptera
🪳 cockroach animal insect pest roach
🕷️ spider animal insect
🕸️ spider_web
🦂 scorpion scorpio scorpius zodiac
🦟 mosquito bite disease fever insect malaria pest virus
🪰 fly animal disease insect maggot pest rotting
🪱 worm animal annelid earthworm parasite
🦠 microbe amoeba bacteria science virus
💐 bouquet anniversary birthday date flower love plant romance
🌸 cherry_blossom flower plant spring springtime
💮 white_flower
🪷 lotus beauty buddhism calm flower hinduism peace purity serenity
🏵️ rosette plant
🌹 rose beauty elegant flower love plant red valentine
🥀 wilted_flower dying
🌺 hibiscus flower plant
🌻 sunflower flower outdoors plant sun
🌼 blossom buttercup dandelion flower plant
🌷 tulip blossom flower growth plant
🪻 hyacinth bloom bluebonnet flower indigo lavender lilac lupine plant purple shrub snapdragon spring violet
🌱 seedling plant sapling sprout young
🪴 potted_plant decor grow house nurturing pot
🌲 evergreen_tree christmas forest pine
🌳 deciduous_tree forest green habitat shedding
🌴 palm_tree beach plant tropical
🌵 cactus desert drought nature plant
🌾 ear_of_rice sheaf grain grains plant
🌿 herb leaf plant
☘️ shamrock irish plant
🍀 four_leaf_clover 4 irish lucky plant
🍁 maple_leaf falling
🍂 fallen_leaf autumn fall falling
🍃 leaves leaf fluttering in wind blow flutter
🪹 empty_nest branch home nesting
🪺 nest_with_eggs bird branch egg nesting
🍄 mushroom fungus toadstool
🪾 leafless_tree bare barren branches dead drought trunk winter wood
# Food
🍇 grapes dionysus fruit grape
🍈 melon cantaloupe fruit
🍉 watermelon fruit
🍊 tangerine c citrus fruit nectarine orange vitamin
🍋 lemon citrus fruit sour
🍋‍🟩 lime acidity citrus cocktail fruit garnish key margarita mojito refreshing salsa sour tangy tequila tropical zest
🍌 banana fruit potassium
🍍 pineapple colada fruit pina tropical
🥭 mango food fruit tropical
🍎 apple red diet food fruit health ripe
🍏 green_apple fruit
🍐 pear fruit
🍑 peach fruit
🍒 cherries berries cherry fruit red
🍓 strawberry berry fruit
🫐 blueberries berries berry bilberry blue blueberry food fruit
🥝 kiwifruit kiwi fruit food
🍅 tomato food fruit vegetable
🫒 olive food
🥥 coconut colada palm pina
🥑 avocado food fruit
🍆 eggplant aubergine vegetable
🥔 potato food vegetable
🥕 carrot food vegetable
🌽 corn ear of crops farm maize maze
🌶️ hot_pepper
🫑 bell_pepper capsicum food vegetable
🥒 cucumber food pickle vegetable
🥬 leafy_green bok burgers cabbage choy kale lettuce salad
🥦 broccoli cabbage wild
🧄 garlic flavoring
🧅 onion flavoring
🥜 peanuts food nut peanut vegetable
🫘 beans food kidney legume small
🌰 chestnut almond plant
🫚 ginger_root beer health herb natural spice
🫛 pea_pod beans beanstalk edamame legume soybean vegetable veggie
🍄‍🟫 brown_mushroom food fungi fungus nature pizza portobello shiitake shroom spore sprout toppings truffle vegetable vegetarian veggie
🫜 root_vegetable beet food garden radish salad turnip vegetarian
🍞 bread carbs food grain loaf restaurant toast wheat
🥐 croissant bread breakfast crescent food french roll
🥖 baguette_bread food french
🫓 flatbread arepa bread food gordita lavash naan pita
🥨 pretzel convoluted twisted
🥯 bagel bakery bread breakfast schmear
🥞 pancakes breakfast crepe food hotcake pancake
🧇 waffle breakfast indecisive iron
🧀 cheese_wedge
🍖 meat_on_bone
🍗 poultry_leg bone chicken drumstick hungry turkey
🥩 cut_of_meat chop lambchop porkchop red steak
🥓 bacon breakfast food meat
🍔 hamburger burger eat fast food hungry
🍟 fries french fast food
🍕 pizza cheese food hungry pepperoni slice
🌭 hotdog hot dog frankfurter sausage
🥪 sandwich bread
🌮 taco mexican
🌯 burrito mexican wrap
🫔 tamale food mexican pamonha wrapped
🥙 stuffed_flatbread falafel food gyro kebab
🧆 falafel chickpea meatball
🥚 egg breakfast food
🍳 fried_egg,cooking breakfast easy fry frying over pan restaurant side sunny up
🥘 shallow_pan_of_food casserole paella
🍲 stew pot of food soup
🫕 fondue cheese chocolate food melted pot ski
🥣 bowl_with_spoon breakfast cereal congee oatmeal porridge
🥗 green_salad food
🍿 popcorn corn movie pop
🧈 butter dairy
🧂 salt condiment flavor mad salty shaker taste upset
🥫 canned_food can
🍱 bento box food
🍘 rice_cracker food
🍙 rice_ball food japanese
🍚 rice cooked food
🍛 curry rice food
🍜 ramen steaming bowl chopsticks food noodle pho soup
🍝 spaghetti food meatballs pasta restaurant
🍠 sweet_potato roasted food
🍢 oden food kebab restaurant seafood skewer stick
🍣 sushi food
🍤 fried_shrimp prawn tempura
🍥 fish_cake with swirl food pastry restaurant
🥮 moon_cake autumn festival yuebing
🍡 dango dessert japanese skewer stick sweet
🥟 dumpling empanada gyoza jiaozi pierogi potsticker
🥠 fortune_cookie prophecy
🥡 takeout_box chopsticks delivery food oyster pail
🍦 icecream soft ice cream dessert food restaurant serve sweet
🍧 shaved_ice dessert restaurant sweet
🍨 ice_cream dessert food restaurant sweet
🍩 doughnut breakfast dessert donut food sweet
🍪 cookie chip chocolate dessert sweet
🎂 birthday cake bday celebration dessert happy pastry sweet
🍰 cake shortcake dessert pastry slice sweet
🧁 cupcake bakery dessert sprinkles sugar sweet treat
🥧 pie apple filling fruit meat pastry pumpkin slice
🍫 chocolate_bar candy dessert halloween sweet tooth
🍬 candy cavities dessert halloween restaurant sweet tooth wrapper
🍭 lollipop candy dessert food restaurant sweet
🍮 custard dessert pudding sweet
🍯 honey_pot barrel bear food honeypot jar sweet
🍼 baby_bottle babies birth born drink infant milk newborn
🥛 glass_of_milk drink
☕️ coffee hot beverage cafe caffeine chai drink morning steaming tea
🫖 teapot brew drink food pot tea
🍵 tea teacup without handle beverage cup drink oolong
🍶 sake bar beverage bottle cup drink restaurant
🍾 champagne bottle with popping cork bar drink
🍷 wine_glass alcohol bar beverage booze club drink drinking drinks restaurant
🍸 cocktail glass alcohol bar booze club drink drinking drinks mad martini men
🍹 tropical_drink alcohol bar booze club cocktail drinking drinks drunk mai party tai tropics
🍺 beer mug alcohol ale bar booze drink drinking drinks octoberfest oktoberfest pint stein summer
🍻 beers clinking beer mugs alcohol bar booze bottoms cheers clink drinking drinks
🥂 clinking_glasses celebrate clink drink glass
🥃 tumbler_glass liquor scotch shot whiskey whisky
🫗 pouring_liquid accident drink empty glass oops pour spill water
🥤 cup_with_straw drink juice malt soda soft water
🧋 bubble_tea boba food milk pearl
🧃 beverage_box juice straw sweet
🧉 mate_drink
🧊 ice_cube cold iceberg
🥢 chopsticks hashi jeotgarak kuaizi
🍽️ knife_fork_plate and with cooking dinner eat
🍴 fork_and_knife breakfast breaky cooking cutlery delicious dinner eat feed food hungry lunch restaurant yum yummy
🥄 spoon eat tableware
🔪 hocho,knife kitchen chef cooking tool weapon
🫙 jar condiment container empty nothing sauce store
🏺 amphora aquarius cooking drink jug tool weapon zodiac
# Travel
🌍 earth_africa globe showing europe world
🌎 earth_americas globe showing world
🌏 earth_asia globe showing australia world
🌐 globe_with_meridians earth internet web world worldwide
🗺️ world_map
🗾 japan map of
🧭 compass direction magnetic navigation orienteering
🏔️ snow_capped_mountain cold
⛰️ mountain
🛘 landslide avalanche danger disaster earthquake mountain mudslide rocks
🌋 volcano eruption mountain nature
🗻 mount_fuji mountain nature
🏕️ camping
🏖️ beach_with_umbrella
🏜️ desert
🏝️ desert_island
🏞️ national_park
🏟️ stadium
🏛️ classical_building
🏗️ building_construction crane
🧱 bricks brick clay mortar wall
🪨 rock boulder heavy solid stone tough
🪵 wood log lumber timber
🛖 hut home house roundhouse shelter yurt
🏘️ house_buildings houses
🏚️ derelict_house_building home
🏠 house building country heart home ranch settle simple suburban suburbia where
🏡 house_with_garden building country heart home ranch settle simple suburban suburbia where
🏢 office building city cubical job
🏣 post_office japanese building
🏤 european_post_office building
🏥 hospital building doctor medicine
🏦 bank building
🏨 hotel building
🏩 love_hotel building
🏪 convenience_store 24 building hours
🏫 school building
🏬 department_store building
🏭 factory building
🏯 japanese_castle building
🏰 european_castle building
💒 wedding chapel hitched nuptials romance
🗼 tokyo_tower
🗽 statue_of_liberty new ny nyc york
⛪ church bless chapel christian cross religion
🕌 mosque islam masjid muslim religion
🛕 hindu_temple
🕍 synagogue jew jewish judaism religion temple
⛩️ shinto_shrine religion
🕋 kaaba hajj islam muslim religion umrah
⛲️ fountain
⛺️ tent camping
🌁 foggy fog
🌃 night_with_stars star
🏙️ cityscape city
🌄 sunrise_over_mountains morning sun
🌅 sunrise morning nature sun
🌆 city_sunset cityscape at dusk building evening landscape sun
🌇 city_sunrise sunset building dusk sun
🌉 bridge_at_night
♨️ hotsprings hot springs steaming
🎠 carousel_horse entertainment
🛝 playground_slide amusement park play playing sliding theme
🎡 ferris_wheel amusement park theme
🎢 roller_coaster amusement park theme
💈 barber pole cut fresh haircut shave
🎪 circus_tent
🚂 steam_locomotive caboose engine railway train trains travel
🚃 railway_car electric train tram travel trolleybus
🚄 bullettrain_side high speed train railway shinkansen
🚅 bullettrain_front bullet train high speed nose railway shinkansen travel
🚆 train2 train arrived choo railway
🚇 metro subway travel
🚈 light_rail arrived monorail railway
🚉 station railway train
🚊 tram trolleybus
🚝 monorail vehicle
🚞 mountain_railway car trip
🚋 train tram car bus trolley trolleybus
🚌 bus school vehicle
🚍 oncoming_bus cars
🚎 trolleybus bus tram trolley
🚐 minibus bus drive van vehicle
🚑 ambulance emergency vehicle
🚒 fire_engine truck
🚓 police_car 5 0 cops patrol
🚔 oncoming_police_car
🚕 taxi cab cabbie car drive vehicle yellow
🚖 oncoming_taxi cab cabbie cars drove hail yellow
🚗 car,red_car automobile driving vehicle
🚘 oncoming_automobile car cars drove vehicle
🚙 blue_car sport utility vehicle drive recreational sportutility
🛻 pickup_truck automobile car flatbed pick up transportation
🚚 truck delivery car drive vehicle
🚛 articulated_lorry car drive move semi truck vehicle
🚜 tractor vehicle
🏎️ racing_car zoom
🏍️ racing_motorcycle
🛵 motor_scooter
🦽 manual_wheelchair accessibility
🦼 motorized_wheelchair accessibility
🛺 auto_rickshaw tuk
🚲 bike bicycle class cycle cycling cyclist gang ride spin spinning
🛴 scooter kick
🛹 skateboard board skate skater wheels
🛼 roller_skate blades skates sport
🚏 busstop bus stop
🛣️ motorway highway road
🛤️ railway_track train
🛢️ oil_drum
⛽ fuelpump fuel pump diesel gas gasoline station
🛞 wheel car circle tire turn vehicle
🚨 rotating_light police car alarm alert beacon emergency revolving siren
🚥 traffic_light horizontal intersection signal stop stoplight
🚦 vertical_traffic_light drove intersection signal stop stoplight
🛑 octagonal_sign stop
🚧 construction barrier
⚓ anchor ship tool
🛟 ring_buoy float life lifesaver preserver rescue safety save saver swim
⛵️ boat,sailboat resort sailing sea yacht
🛶 canoe boat
🚤 speedboat billionaire boat lake luxury millionaire summer travel
🛳️ passenger_ship
⛴️ ferry boat passenger
🛥️ motor_boat motorboat
🚢 ship boat passenger travel
✈️ airplane aeroplane fly flying jet plane travel
🛩️ small_airplane aeroplane plane
🛫 airplane_departure aeroplane check in departures plane
🛬 airplane_arriving arrival aeroplane arrivals landing plane
🪂 parachute hang glide parasail skydive
💺 seat chair
🚁 helicopter copter roflcopter travel vehicle
🚟 suspension_railway
🚠 mountain_cableway cable gondola lift ski
🚡 aerial_tramway cable car gondola ropeway
🛰️ satellite space
🚀 rocket launch rockets space travel
🛸 flying_saucer aliens extra terrestrial ufo
🛎️ bellhop_bell hotel
🧳 luggage bag packing roller suitcase travel
⌛️ hourglass done sand time timer
⏳ hourglass_flowing_sand not done hours timer waiting yolo
⌚️ watch clock time
⏰ alarm_clock hours hrs late time waiting
⏱️ stopwatch clock time
⏲️ timer_clock
🕰️ mantelpiece_clock time
🕛 clock12 twelve o clock 12 00 time
🕧 clock1230 twelve thirty 12 30 clock time
🕐 clock1 one o clock 1 00 time
🕜 clock130 one thirty 1 30 clock time
🕑 clock2 two o clock 2 00 time
🕝 clock230 two thirty 2 30 clock time
🕒 clock3 three o clock 3 00 time
🕞 clock330 three thirty 3 30 clock time
🕓 clock4 four o clock 4 00 time
🕟 clock430 four thirty 30 4 clock time
🕔 clock5 five o clock 5 00 time
🕠 clock530 five thirty 30 5 clock time
🕕 clock6 six o clock 6 00 time
🕡 clock630 six thirty 30 6 clock
🕖 clock7 seven o clock 0 7 00
🕢 clock730 seven thirty 30 7 clock
🕗 clock8 eight o clock 8 00 time
🕣 clock830 eight thirty 30 8 clock time
🕘 clock9 nine o clock 9 00 time
🕤 clock930 nine thirty 30 9 clock time
🕙 clock10 ten o clock 0 10 00
🕥 clock1030 ten thirty 10 30 clock time
🕚 clock11 eleven o clock 11 00 time
🕦 clock1130 eleven thirty 11 30 clock time
🌑 new_moon dark space
🌒 waxing_crescent_moon dreams space
🌓 first_quarter_moon space
🌔 moon,waxing_gibbous_moon space
🌕 full_moon space
🌖 waning_gibbous_moon space
🌗 last_quarter_moon space
🌘 waning_crescent_moon space
🌙 crescent_moon ramadan space
🌚 new_moon_with_face space
🌛 first_quarter_moon_with_face space
🌜 last_quarter_moon_with_face dreams
🌡️ thermometer weather
☀️ sunny sun bright rays space weather
🌝 full_moon_with_face bright
🌞 sun_with_face beach bright day heat shine sunny sunshine weather
🪐 ringed_planet saturn saturnine
⭐ star astronomy medium stars white
🌟 star2 glowing star glittery glow night shining sparkle win
🌠 stars shooting star falling night space
🌌 milky_way space
☁️ cloud weather
⛅ partly_sunny sun behind cloud cloudy weather
⛈️ thunder_cloud_and_rain with lightning thunderstorm
🌤️ mostly_sunny,sun_small_cloud behind weather
🌥️ barely_sunny,sun_behind_cloud large weather
🌦️ partly_sunny_rain,sun_behind_rain_cloud weather
🌧️ rain_cloud with weather
🌨️ snow_cloud with cold weather
🌩️ lightning,lightning_cloud with weather
🌪️ tornado,tornado_cloud weather whirlwind
🌫️ fog cloud weather
🌬️ wind_blowing_face blow cloud
🌀 cyclone dizzy hurricane twister typhoon weather
🌈 rainbow gay genderqueer glbt glbtq lesbian lgbt lgbtq lgbtqia nature pride queer rain trans transgender weather
🌂 closed_umbrella clothing rain
☂️ umbrella clothing rain
☔️ umbrella_with_rain_drops clothing drop weather
⛱️ umbrella_on_ground rain sun
⚡ zap high voltage danger electric electricity lightning nature thunder thunderbolt
❄️ snowflake cold snow weather
☃️ snowman cold man snow
⛄️ snowman_without_snow cold man
☄️ comet space
🔥 fire af burn flame hot lit litaf tool
💧 droplet cold comic drop nature sad sweat tear water weather
🌊 ocean water wave nature surf surfer surfing
# Activities
🎃 jack_o_lantern celebration halloween pumpkin
🎄 christmas_tree celebration
🎆 fireworks boom celebration entertainment yolo
🎇 sparkler boom celebration fireworks sparkle
🧨 firecracker dynamite explosive fire fireworks light pop popping spark
✨ sparkles magic sparkle star
🎈 balloon birthday celebrate celebration
🎉 tada party popper awesome birthday celebrate celebration excited hooray woohoo
🎊 confetti_ball celebrate celebration party woohoo
🎋 tanabata_tree banner celebration japanese
🎍 bamboo pine decoration celebration japanese plant
🎎 dolls japanese celebration doll festival
🎏 flags carp streamer celebration
🎐 wind_chime bell celebration
🎑 rice_scene moon viewing ceremony celebration
🧧 red_envelope gift good hongbao lai luck money see
🎀 ribbon celebration
🎁 gift wrapped birthday bow box celebration christmas present surprise
🎗️ reminder_ribbon celebration
🎟️ admission_tickets ticket
🎫 ticket admission stub
🎖️ medal military award celebration
🏆 trophy champion champs prize slay sport victory win winning
🏅 sports_medal award gold winner
🥇 first_place_medal 1st gold
🥈 second_place_medal 2nd silver
🥉 third_place_medal 3rd bronze
⚽️ soccer ball football futbol sport
⚾️ baseball ball sport
🥎 softball ball glove sports underarm
🏀 basketball ball hoop sport
🏐 volleyball ball game
🏈 football american ball bowl sport super
🏉 rugby_football ball sport
🎾 tennis ball racquet sport
🥏 flying_disc ultimate
🎳 bowling ball game sport strike
🏏 cricket_bat_and_ball game
🏑 field_hockey_stick_and_ball game
🏒 ice_hockey_stick_and_puck game
🥍 lacrosse ball goal sports stick
🏓 table_tennis_paddle_and_ball ping pong bat game pingpong
🏸 badminton_racquet_and_shuttlecock birdie game
🥊 boxing_glove
🥋 martial_arts_uniform judo karate taekwondo
🥅 goal_net
⛳️ golf flag in hole sport
⛸️ ice_skate skating
🎣 fishing_pole_and_fish entertainment sport
🤿 diving_mask scuba snorkeling
🎽 running_shirt_with_sash athletics
🎿 ski skis snow sport
🛷 sled luge sledge sleigh snow toboggan
🥌 curling_stone game rock
🎯 dart bullseye bull direct entertainment game hit target
🪀 yo-yo fluctuate toy
🪁 kite fly soar
🔫 gun water pistol handgun revolver tool weapon
🎱 8ball pool 8 ball billiard eight game
🔮 crystal_ball fairy fairytale fantasy fortune future magic tale tool
🪄 magic_wand magician witch wizard
🎮 video_game controller entertainment
🕹️ joystick game video videogame
🎰 slot_machine casino gamble gambling game slots
🎲 game_die dice entertainment
🧩 jigsaw puzzle piece clue interlocking
🧸 teddy_bear plaything plush stuffed toy
🪅 pinata candy celebrate celebration cinco de festive mayo party pinada
🪩 mirror_ball dance disco glitter party
🪆 nesting_dolls babooshka baboushka babushka doll matryoshka russia
♠️ spades spade suit card game
♥️ hearts heart suit card emotion game
♦️ diamonds diamond suit card game
♣️ clubs club suit card game
♟️ chess_pawn dupe expendable
🃏 black_joker card game wildcard
🀄️ mahjong red dragon game
🎴 flower_playing_cards card game japanese
🎭 performing_arts actor actress art entertainment mask theater theatre thespian
🖼️ frame_with_picture framed art museum painting
🎨 art artist palette artsy arty colorful creative entertainment museum painter painting
🧵 thread needle sewing spool string
🪡 sewing_needle embroidery sew stitches sutures tailoring thread
🧶 yarn ball crochet knit
🪢 knot cord rope tangled tie twine twist
# Objects
👓 eyeglasses glasses clothing eye eyewear
🕶️ dark_sunglasses eye eyewear glasses
🥽 goggles dive eye protection scuba swimming welding
🥼 lab_coat clothes doctor dr experiment jacket scientist white
🦺 safety_vest emergency
👔 necktie clothing employed serious shirt tie
👕 shirt,tshirt t blue casual clothes clothing collar dressed shopping weekend
👖 jeans blue casual clothes clothing denim dressed pants shopping trousers weekend
🧣 scarf bundle cold neck up
🧤 gloves hand
🧥 coat brr bundle cold jacket up
🧦 socks stocking
👗 dress clothes clothing dressed fancy shopping
👘 kimono clothing comfortable
🥻 sari clothing dress
🩱 one-piece_swimsuit bathing suit
🩲 briefs bathing one piece suit swimsuit underwear
🩳 shorts bathing pants suit swimsuit underwear
👙 bikini bathing beach clothing pool suit swim
👚 womans_clothes woman s blouse clothing collar dress dressed lady shirt shopping
🪭 folding_hand_fan clack clap cool cooling dance flirt flutter hot shy
👛 purse clothes clothing coin dress fancy handbag shopping
👜 handbag bag clothes clothing dress lady purse shopping
👝 pouch clutch bag clothes clothing dress handbag purse
🛍️ shopping_bags bag hotel
🎒 school_satchel backpack backpacking bag bookbag education rucksack
🩴 thong_sandal beach flip flop sandals shoe thongs zori
👞 mans_shoe,shoe man s brown clothes clothing feet foot kick shoes shopping
👟 athletic_shoe running clothes clothing fast kick shoes shopping sneaker tennis
🥾 hiking_boot backpacking brown camping outdoors shoe
🥿 womans_flat_shoe ballet comfy flats slip on slipper
👠 high_heel heeled shoe clothes clothing dress fashion heels shoes shopping stiletto woman
👡 sandal woman s clothing shoe
🩰 ballet_shoes dance
👢 boot woman s clothes clothing dress shoe shoes shopping
🪮 hair_pick afro comb groom
👑 crown clothing family king medieval queen royal royalty win
👒 womans_hat woman s clothes clothing garden hats party
🎩 tophat top hat clothes clothing fancy formal magic
🎓 mortar_board graduation cap celebration clothing education hat scholar
🧢 billed_cap baseball bent dad hat
🪖 military_helmet army soldier war warrior
⛑️ helmet_with_white_cross rescue worker s aid face hat
📿 prayer_beads clothing necklace religion
💄 lipstick cosmetics date makeup
💍 ring diamond engaged engagement married romance shiny sparkling wedding
💎 gem stone diamond engagement jewel money romance wedding
🔇 mute muted speaker quiet silent sound
🔈 speaker low volume soft sound
🔉 sound speaker medium volume
🔊 loud_sound speaker high volume music
📢 loudspeaker address communication loud public sound
📣 mega megaphone cheering sound
📯 postal_horn post
🔔 bell break church sound
🔕 no_bell with slash forbidden mute not prohibited quiet silent sound
🎼 musical_score music note
🎵 musical_note music sound
🎶 notes musical music note sound
🎙️ studio_microphone mic music
🎚️ level_slider music
🎛️ control_knobs music
🎤 microphone karaoke mic music sing sound
🎧 headphones headphone earbud sound
📻 radio entertainment tbt video
🎷 saxophone instrument music sax
🎺 trumpet instrument music
🪊 trombone brass instrument jazz music sad slide
🪗 accordion box concertina instrument music squeeze squeezebox
🎸 guitar instrument music strat
🎹 musical_keyboard instrument music piano
🎻 violin instrument music
🪕 banjo music stringed
🥁 drum_with_drumsticks music
🪘 long_drum beat conga instrument rhythm
🪇 maracas cha dance instrument music party percussion rattle shake shaker
🪈 flute band fife flautist instrument marching music orchestra piccolo pipe recorder woodwind
🪉 harp cupid instrument love music orchestra
📱 iphone mobile phone cell communication telephone
📲 calling mobile phone with arrow build call cell communication receive telephone
☎️ phone,telephone
📞 telephone_receiver communication phone voip
📟 pager communication
📠 fax machine communication
🔋 battery
🪫 low_battery drained electronic energy power
🔌 electric_plug electricity
💻 computer laptop office pc personal
🖥️ desktop_computer monitor
🖨️ printer computer
⌨️ keyboard computer
🖱️ three_button_mouse computer
🖲️ trackball computer
💽 minidisc computer disk minidisk optical
💾 floppy_disk computer
💿 cd optical disk blu ray computer dvd
📀 dvd blu ray cd computer disk optical
🧮 abacus calculation calculator
🎥 movie_camera bollywood cinema film hollywood record
🎞️ film_frames cinema movie
📽️ film_projector cinema movie video
🎬 clapper board action movie
📺 tv television video
📷 camera photo selfie snap tbt trip video
📸 camera_with_flash video
📹 video_camera camcorder tbt
📼 vhs videocassette old school tape vcr video
🔍 mag magnifying glass tilted left lab pointing science search tool
🔎 mag_right magnifying glass tilted contact lab pointing science search tool
🕯️ candle light
💡 bulb light comic electric idea
🔦 flashlight electric light tool torch
🏮 izakaya_lantern,lantern red paper bar light restaurant
🪔 diya_lamp light oil
📔 notebook_with_decorative_cover book decorated education school writing
📕 closed_book education
📖 book,open_book education fantasy knowledge library novels reading
📗 green_book education fantasy library reading
📘 blue_book education fantasy library reading
📙 orange_book education fantasy library reading
📚 books book education fantasy knowledge library novels reading school study
📓 notebook
📒 ledger notebook
📃 page_with_curl document paper
📜 scroll paper
📄 page_facing_up document paper
📰 newspaper communication news paper
🗞️ rolled_up_newspaper news paper
📑 bookmark_tabs mark marker
🔖 bookmark mark
🏷️ label tag
🪙 coin dollar euro gold metal money rich silver treasure
💰 moneybag money bag bank bet billion cash cost dollar gold million paid paying pot rich win
🪎 treasure_chest gem gold jewels loot money prize silver valuables wealth
💴 yen banknote bank bill currency money note
💵 dollar banknote bank bill currency money note
💶 euro banknote 100 bank bill currency money note rich
💷 pound banknote bank bill billion cash currency money note pounds
💸 money_with_wings bank banknote bill billion cash dollar fly million note pay
💳 credit_card bank cash charge money pay
🧾 receipt accounting bookkeeping evidence invoice proof
💹 chart increasing with yen bank currency graph growth market money rise trend upward
✉️ email,envelope e mail letter
📧 e-mail email letter
📨 incoming_envelope delivering e mail email letter receive sent
📩 envelope_with_arrow communication down e mail email letter outgoing send sent
📤 outbox_tray box email letter mail sent
📥 inbox_tray box email letter mail receive zero
📦 package box communication delivery parcel shipping
📫 mailbox closed with raised flag communication mail postbox
📪 mailbox_closed with lowered flag mail postbox
📬 mailbox_with_mail open raised flag postbox
📭 mailbox_with_no_mail open lowered flag postbox
📮 postbox mail mailbox
🗳️ ballot_box_with_ballot
✏️ pencil2 pencil
✒️ black_nib pen
🖋️ lower_left_fountain_pen
🖊️ lower_left_ballpoint_pen
🖌️ lower_left_paintbrush painting
🖍️ lower_left_crayon
📝 memo,pencil communication media notes
💼 briefcase office
📁 file_folder
📂 open_file_folder
🗂️ card_index_dividers
📅 date calendar
📆 calendar tear off
🗒️ spiral_note_pad notepad
🗓️ spiral_calendar_pad
📇 card_index old rolodex school
📈 chart_with_upwards_trend increasing data graph growth right up upward
📉 chart_with_downwards_trend decreasing data down downward graph negative
📊 bar_chart data graph
📋 clipboard do list notes
📌 pushpin collage pin
📍 round_pushpin location map pin
📎 paperclip
🖇️ linked_paperclips link paperclip
📏 straight_ruler angle edge math straightedge
📐 triangular_ruler angle math rule set slide triangle
✂️ scissors cut cutting paper tool
🗃️ card_file_box
🗄️ file_cabinet filing paper
🗑️ wastebasket can garbage trash waste
🔒 lock locked closed private
🔓 unlock unlocked cracked lock open
🔏 lock_with_ink_pen locked nib privacy
🔐 closed_lock_with_key locked bike secure
🔑 key keys lock major password unlock
🗝️ old_key clue lock
🔨 hammer home improvement repairs tool
🪓 axe ax chop hatchet split wood
⛏️ pick hammer mining tool
⚒️ hammer_and_pick tool
🛠️ hammer_and_wrench spanner tool
🗡️ dagger_knife weapon
⚔️ crossed_swords weapon
💣 bomb boom comic dangerous explosion hot
🪃 boomerang rebound repercussion weapon
🏹 bow_and_arrow archer archery sagittarius tool weapon zodiac
🛡️ shield weapon
🪚 carpentry_saw carpenter cut lumber tool trim
🔧 wrench home improvement spanner tool
🪛 screwdriver flathead handy screw tool
🔩 nut_and_bolt home improvement tool
⚙️ gear cog cogwheel tool
🗜️ compression clamp compress tool vice
⚖️ scales balance scale justice libra tool weight zodiac
🦯 probing_cane white accessibility blind
🔗 link links
⛓️‍💥 broken_chain break breaking cuffs freedom
⛓️ chains chain
🪝 hook catch crook curve ensnare point selling
🧰 toolbox box chest mechanic red tool
🧲 magnet attraction horseshoe magnetic negative positive shape u
🪜 ladder climb rung step
🪏 shovel bury dig garden hole plant scoop snow spade
⚗️ alembic chemistry tool
🧪 test_tube chemist chemistry experiment lab science
🧫 petri_dish bacteria biologist biology culture lab
🧬 dna biologist evolution gene genetics life
🔬 microscope experiment lab science tool
🔭 telescope contact extraterrestrial science tool
📡 satellite_antenna aliens contact dish science
💉 syringe doctor flu medicine needle shot sick tool vaccination
🩸 drop_of_blood bleed donation injury medicine menstruation
💊 pill doctor drugs medicated medicine pills sick vitamin
🩹 adhesive_bandage
🩼 crutch aid cane disability help hurt injured mobility stick
🩺 stethoscope doctor heart medicine
🩻 x-ray bones doctor medical skeleton skull xray
🚪 door back closet front
🛗 elevator accessibility hoist lift
🪞 mirror makeup reflection reflector speculum
🪟 window air frame fresh opening transparent view
🛏️ bed hotel sleep
🛋️ couch_and_lamp hotel
🪑 chair seat sit
🚽 toilet bathroom
🪠 plunger cup force plumber poop suction toilet
🚿 shower water
🛁 bathtub bath
🪤 mouse_trap bait cheese lure mousetrap snare
🪒 razor sharp shave
🧴 lotion_bottle moisturizer shampoo sunscreen
🧷 safety_pin diaper punk rock
🧹 broom cleaning sweeping witch
🧺 basket farming laundry picnic
🧻 roll_of_paper toilet towels
🪣 bucket cask pail vat
🧼 soap bar bathing clean cleaning lather soapdish
🫧 bubbles bubble burp clean floating pearl soap underwater
🪥 toothbrush bathroom brush clean dental hygiene teeth toiletry
🧽 sponge absorbing cleaning porous soak
🧯 fire_extinguisher extinguish quench
🛒 shopping_trolley cart
🚬 smoking cigarette
⚰️ coffin dead death vampire
🪦 headstone cemetery dead grave graveyard memorial rip tomb tombstone
⚱️ funeral_urn ashes death
🧿 nazar_amulet bead blue charm evil eye talisman
🪬 hamsa amulet fatima fortune guide hand mary miriam palm protect protection
🗿 moyai moai face statue stoneface travel
🪧 placard card demonstration notice picket plaque protest sign
🪪 identification_card credentials document id license security
# Symbols
🏧 atm sign automated bank cash money teller
🚮 put_litter_in_its_place bin sign litterbin
🚰 potable_water drinking
♿️ wheelchair symbol access handicap
🚹 mens men s room bathroom lavatory man restroom toilet wc
🚺 womens women s room bathroom lavatory restroom toilet wc woman
🚻 restroom bathroom lavatory toilet wc
🚼 baby_symbol changing
🚾 wc water closet bathroom lavatory restroom toilet
🛂 passport_control
🛃 customs packing
🛄 baggage_claim arrived bags case checked journey packing plane ready travel trip
🛅 left_luggage baggage case locker
⚠️ warning caution
🚸 children_crossing child pedestrian traffic
⛔ no_entry do fail forbidden not pass prohibited traffic
🚫 no_entry_sign prohibited forbidden not smoke
🚳 no_bicycles bicycle bike forbidden not prohibited
🚭 no_smoking forbidden not prohibited smoke
🚯 do_not_litter no littering forbidden prohibited
🚱 non-potable_water dry drinking prohibited
🚷 no_pedestrians forbidden not pedestrian prohibited
📵 no_mobile_phones cell forbidden not phone prohibited telephone
🔞 underage no one under eighteen 18 age forbidden not prohibited restriction
☢️ radioactive_sign
☣️ biohazard_sign
⬆️ arrow_up cardinal direction north
↗️ arrow_upper_right up direction intercardinal northeast
➡️ arrow_right cardinal direction east
↘️ arrow_lower_right down direction intercardinal southeast
⬇️ arrow_down cardinal direction south
↙️ arrow_lower_left down direction intercardinal southwest
⬅️ arrow_left cardinal direction west
↖️ arrow_upper_left up direction intercardinal northwest
↕️ arrow_up_down
↔️ left_right_arrow
↩️ leftwards_arrow_with_hook right curving left
↪️ arrow_right_hook left curving
⤴️ arrow_heading_up right curving
⤵️ arrow_heading_down right curving
🔃 arrows_clockwise vertical arrow refresh reload
🔄 arrows_counterclockwise button again anticlockwise arrow deja refresh rewindershins vu
🔙 back arrow
🔚 end arrow
🔛 on arrow mark
🔜 soon arrow brb omw
🔝 top arrow homie up
🛐 place_of_worship pray religion
⚛️ atom_symbol atheist
🕉️ om_symbol hindu religion
✡️ star_of_david jew jewish judaism religion
☸️ wheel_of_dharma buddhist religion
☯️ yin_yang difficult lives religion tao taoist total yinyang
✝️ latin_cross christ christian religion
☦️ orthodox_cross christian religion
☪️ star_and_crescent islam muslim ramadan religion
☮️ peace_symbol healing peaceful
🕎 menorah_with_nine_branches candelabrum candlestick hanukkah jewish judaism religion
🔯 six_pointed_star dotted fortune jewish judaism
🪯 khanda deg fateh khalsa religion sikh sikhism tegh
♈️ aries horoscope ram zodiac
♉️ taurus bull horoscope ox zodiac
♊️ gemini horoscope twins zodiac
♋️ cancer crab horoscope zodiac
♌️ leo horoscope lion zodiac
♍️ virgo horoscope zodiac
♎️ libra balance horoscope justice scales zodiac
♏️ scorpius scorpio horoscope scorpion zodiac
♐️ sagittarius archer horoscope zodiac
♑️ capricorn goat horoscope zodiac
♒️ aquarius bearer horoscope water zodiac
♓️ pisces fish horoscope zodiac
⛎ ophiuchus bearer serpent snake zodiac
🔀 twisted_rightwards_arrows shuffle tracks button arrow crossed
🔁 repeat button arrow clockwise
🔂 repeat_one single button arrow clockwise once
▶️ arrow_forward play button right triangle
⏩ fast_forward button arrow double
⏭️ black_right_pointing_double_triangle_with_vertical_bar next track button arrow scene
⏯️ black_right_pointing_triangle_with_double_vertical_bar play or pause button arrow
◀️ arrow_backward reverse button left triangle
⏪ rewind fast reverse button arrow double
⏮️ black_left_pointing_double_triangle_with_vertical_bar last track button arrow previous scene
🔼 arrow_up_small upwards button red
⏫ arrow_double_up fast button
🔽 arrow_down_small downwards button red
⏬ arrow_double_down fast button
⏸️ double_vertical_bar pause button
⏹️ black_square_for_stop button
⏺️ black_circle_for_record button
⏏️ eject button
🎦 cinema camera film movie
🔅 low_brightness dim button
🔆 high_brightness bright button light
📶 signal_strength antenna bars bar cell communication mobile phone telephone
🛜 wireless broadband computer connectivity hotspot internet network router smartphone wi fi wifi wlan
📳 vibration_mode cell communication mobile phone telephone
📴 mobile_phone_off cell telephone
♀️ female_sign woman
♂️ male_sign man
⚧️ transgender_symbol
✖️ heavy_multiplication_x multiply cancel sign
➕ heavy_plus_sign
➖ heavy_minus_sign math
➗ heavy_division_sign divide math
🟰 heavy_equals_sign answer equal equality math
♾️ infinity forever unbounded universal
‼️ bangbang double exclamation mark punctuation
⁉️ interrobang exclamation question mark punctuation
❓ question red mark punctuation
❔ grey_question white mark outlined punctuation
❕ grey_exclamation white mark outlined punctuation
❗️ exclamation,heavy_exclamation_mark red punctuation
〰️ wavy_dash punctuation
💱 currency_exchange bank money
💲 heavy_dollar_sign billion cash charge currency million money pay
⚕️ medical_symbol,staff_of_aesculapius medicine
♻️ recycle recycling symbol
⚜️ fleur_de_lis knights
🔱 trident emblem anchor poseidon ship tool
📛 name_badge
🔰 beginner japanese symbol for chevron green leaf tool yellow
⭕️ o hollow red circle heavy large
✅ white_check_mark button checked checkmark complete completed done fixed tick
☑️ ballot_box_with_check checked done off tick
✔️ heavy_check_mark checked checkmark done tick
❌ x cross mark cancel multiplication multiply
❎ negative_squared_cross_mark button multiplication multiply square x
➰ curly_loop curl
➿ loop double curly curl
〽️ part_alternation_mark
✳️ eight_spoked_asterisk
✴️ eight_pointed_black_star
❇️ sparkle
©️ copyright c
®️ registered r
™️ tm trade mark trademark
🫟 splatter drip holi ink liquid mess paint spill stain
#️⃣ hash keycap
*️⃣ keycap_star
0️⃣ zero keycap 0
1️⃣ one keycap 1
2️⃣ two keycap 2
3️⃣ three keycap 3
4️⃣ four keycap 4
5️⃣ five keycap 5
6️⃣ six keycap 6
7️⃣ seven keycap 7
8️⃣ eight keycap 8
9️⃣ nine keycap 9
🔟 keycap_ten 10
🔠 capital_abcd input latin uppercase letters
🔡 abcd input latin lowercase letters
🔢 1234 input numbers
🔣 symbols input
🔤 abc input latin letters alphabet
🅰️ a button blood type
🆎 ab button blood type
🅱️ b button blood type
🆑 cl button
🆒 cool button
🆓 free button
ℹ️ information_source i
🆔 id button identity
Ⓜ️ m circled circle
🆕 new button
🆖 ng button
🅾️ o2 o button blood type
🆗 ok button okay
🅿️ parking p button
🆘 sos button help
🆙 up button mark
🆚 vs button versus
🈁 koko japanese here button katakana
🈂️ sa japanese service charge button katakana
🈷️ u6708 japanese monthly amount button ideograph
🈶 u6709 japanese not free of charge button ideograph
🈯 u6307 japanese reserved button ideograph
🉐 ideograph_advantage japanese bargain button
🈹 u5272 japanese discount button ideograph
🈚 u7121 japanese free of charge button ideograph
🈲 u7981 japanese prohibited button ideograph
🉑 accept japanese acceptable button ideograph
🈸 u7533 japanese application button ideograph
🈴 u5408 japanese passing grade button ideograph
🈳 u7a7a japanese vacancy button ideograph
㊗️ congratulations japanese button ideograph
㊙️ secret japanese button ideograph
🈺 u55b6 japanese open for business button ideograph
🈵 u6e80 japanese no vacancy button ideograph
🔴 red_circle geometric
🟠 large_orange_circle
🟡 large_yellow_circle
🟢 large_green_circle
🔵 large_blue_circle geometric
🟣 large_purple_circle
🟤 large_brown_circle
⚫ black_circle geometric
⚪️ white_circle geometric
🟥 large_red_square card penalty
🟧 large_orange_square
🟨 large_yellow_square card penalty
🟩 large_green_square
🟦 large_blue_square
🟪 large_purple_square
🟫 large_brown_square
⬛️ black_large_square geometric
⬜️ white_large_square geometric
◼️ black_medium_square geometric
◻️ white_medium_square geometric
◾️ black_medium_small_square geometric
◽ white_medium_small_square geometric
▪️ black_small_square geometric
▫️ white_small_square geometric
🔶 large_orange_diamond geometric
🔷 large_blue_diamond geometric
🔸 small_orange_diamond geometric
🔹 small_blue_diamond geometric
🔺 small_red_triangle pointed up geometric
🔻 small_red_triangle_down pointed geometric
💠 diamond_shape_with_a_dot_inside comic geometric
🔘 radio_button geometric
🔳 white_square_button geometric outlined
🔲 black_square_button geometric
# Flags
🏁 checkered_flag chequered finish flags game race racing sport win
🚩 triangular_flag_on_post construction golf
🎌 crossed_flags celebration cross japanese
🏴 waving_black_flag
🏳️ waving_white_flag
🏳️‍🌈 rainbow-flag bisexual gay genderqueer glbt glbtq lesbian lgbt lgbtq lgbtqia pride queer trans transgender
🏳️‍⚧️ transgender_flag blue light pink white
🏴‍☠️ pirate_flag jolly plunder roger treasure
🇦🇨 flag-ac ascension island
🇦🇩 flag-ad andorra
🇦🇪 flag-ae united arab emirates
🇦🇫 flag-af afghanistan
🇦🇬 flag-ag antigua barbuda
🇦🇮 flag-ai anguilla
🇦🇱 flag-al albania
🇦🇲 flag-am armenia
🇦🇴 flag-ao angola
🇦🇶 flag-aq antarctica
🇦🇷 flag-ar argentina
🇦🇸 flag-as american samoa
🇦🇹 flag-at austria
🇦🇺 flag-au australia
🇦🇼 flag-aw aruba
🇦🇽 flag-ax aland islands
🇦🇿 flag-az azerbaijan
🇧🇦 flag-ba bosnia herzegovina
🇧🇧 flag-bb barbados
🇧🇩 flag-bd bangladesh
🇧🇪 flag-be belgium
🇧🇫 flag-bf burkina faso
🇧🇬 flag-bg bulgaria
🇧🇭 flag-bh bahrain
🇧🇮 flag-bi burundi
🇧🇯 flag-bj benin
🇧🇱 flag-bl st barthelemy
🇧🇲 flag-bm bermuda
🇧🇳 flag-bn brunei
🇧🇴 flag-bo bolivia
🇧🇶 flag-bq caribbean netherlands
🇧🇷 flag-br brazil
🇧🇸 flag-bs bahamas
🇧🇹 flag-bt bhutan
🇧🇻 flag-bv bouvet island
🇧🇼 flag-bw botswana
🇧🇾 flag-by belarus
🇧🇿 flag-bz belize
🇨🇦 flag-ca canada
🇨🇨 flag-cc cocos keeling islands
🇨🇩 flag-cd congo kinshasa
🇨🇫 flag-cf central african republic
🇨🇬 flag-cg congo brazzaville
🇨🇭 flag-ch switzerland
🇨🇮 flag-ci cote d ivoire
🇨🇰 flag-ck cook islands
🇨🇱 flag-cl chile
🇨🇲 flag-cm cameroon
🇨🇳 cn,flag-cn china
🇨🇴 flag-co colombia
🇨🇵 flag-cp clipperton island
🇨🇶 flag-sark cq
🇨🇷 flag-cr costa rica
🇨🇺 flag-cu cuba
🇨🇻 flag-cv cape verde
🇨🇼 flag-cw curacao
🇨🇽 flag-cx christmas island
🇨🇾 flag-cy cyprus
🇨🇿 flag-cz czechia
🇩🇪 de,flag-de germany
🇩🇬 flag-dg diego garcia
🇩🇯 flag-dj djibouti
🇩🇰 flag-dk denmark
🇩🇲 flag-dm dominica
🇩🇴 flag-do dominican republic
🇩🇿 flag-dz algeria
🇪🇦 flag-ea ceuta melilla
🇪🇨 flag-ec ecuador
🇪🇪 flag-ee estonia
🇪🇬 flag-eg egypt
🇪🇭 flag-eh western sahara
🇪🇷 flag-er eritrea
🇪🇸 es,flag-es spain
🇪🇹 flag-et ethiopia
🇪🇺 flag-eu european union
🇫🇮 flag-fi finland
🇫🇯 flag-fj fiji
🇫🇰 flag-fk falkland islands
🇫🇲 flag-fm micronesia
🇫🇴 flag-fo faroe islands
🇫🇷 fr,flag-fr france
🇬🇦 flag-ga gabon
🇬🇧 gb,uk,flag-gb united kingdom
🇬🇩 flag-gd grenada
🇬🇪 flag-ge georgia
🇬🇫 flag-gf french guiana
🇬🇬 flag-gg guernsey
🇬🇭 flag-gh ghana
🇬🇮 flag-gi gibraltar
🇬🇱 flag-gl greenland
🇬🇲 flag-gm gambia
🇬🇳 flag-gn guinea
🇬🇵 flag-gp guadeloupe
🇬🇶 flag-gq equatorial guinea
🇬🇷 flag-gr greece
🇬🇸 flag-gs south georgia sandwich islands
🇬🇹 flag-gt guatemala
🇬🇺 flag-gu guam
🇬🇼 flag-gw guinea bissau
🇬🇾 flag-gy guyana
🇭🇰 flag-hk hong kong sar china
🇭🇲 flag-hm heard mcdonald islands
🇭🇳 flag-hn honduras
🇭🇷 flag-hr croatia
🇭🇹 flag-ht haiti
🇭🇺 flag-hu hungary
🇮🇨 flag-ic canary islands
🇮🇩 flag-id indonesia
🇮🇪 flag-ie ireland
🇮🇱 flag-il israel
🇮🇲 flag-im isle of man
🇮🇳 flag-in india
🇮🇴 flag-io british indian ocean territory
🇮🇶 flag-iq iraq
🇮🇷 flag-ir iran
🇮🇸 flag-is iceland
🇮🇹 it,flag-it italy
🇯🇪 flag-je jersey
🇯🇲 flag-jm jamaica
🇯🇴 flag-jo jordan
🇯🇵 jp,flag-jp japan
🇰🇪 flag-ke kenya
🇰🇬 flag-kg kyrgyzstan
🇰🇭 flag-kh cambodia
🇰🇮 flag-ki kiribati
🇰🇲 flag-km comoros
🇰🇳 flag-kn st kitts nevis
🇰🇵 flag-kp north korea
🇰🇷 kr,flag-kr south korea
🇰🇼 flag-kw kuwait
🇰🇾 flag-ky cayman islands
🇰🇿 flag-kz kazakhstan
🇱🇦 flag-la laos
🇱🇧 flag-lb lebanon
🇱🇨 flag-lc st lucia
🇱🇮 flag-li liechtenstein
🇱🇰 flag-lk sri lanka
🇱🇷 flag-lr liberia
🇱🇸 flag-ls lesotho
🇱🇹 flag-lt lithuania
🇱🇺 flag-lu luxembourg
🇱🇻 flag-lv latvia
🇱🇾 flag-ly libya
🇲🇦 flag-ma morocco
🇲🇨 flag-mc monaco
🇲🇩 flag-md moldova
🇲🇪 flag-me montenegro
🇲🇫 flag-mf st martin
🇲🇬 flag-mg madagascar
🇲🇭 flag-mh marshall islands
🇲🇰 flag-mk north macedonia
🇲🇱 flag-ml mali
🇲🇲 flag-mm myanmar burma
🇲🇳 flag-mn mongolia
🇲🇴 flag-mo macao sar china
🇲🇵 flag-mp northern mariana islands
🇲🇶 flag-mq martinique
🇲🇷 flag-mr mauritania
🇲🇸 flag-ms montserrat
🇲🇹 flag-mt malta
🇲🇺 flag-mu mauritius
🇲🇻 flag-mv maldives
🇲🇼 flag-mw malawi
🇲🇽 flag-mx mexico
🇲🇾 flag-my malaysia
🇲🇿 flag-mz mozambique
🇳🇦 flag-na namibia
🇳🇨 flag-nc new caledonia
🇳🇪 flag-ne niger
🇳🇫 flag-nf norfolk island
🇳🇬 flag-ng nigeria
🇳🇮 flag-ni nicaragua
🇳🇱 flag-nl netherlands
🇳🇴 flag-no norway
🇳🇵 flag-np nepal
🇳🇷 flag-nr nauru
🇳🇺 flag-nu niue
🇳🇿 flag-nz new zealand
🇴🇲 flag-om oman
🇵🇦 flag-pa panama
🇵🇪 flag-pe peru
🇵🇫 flag-pf french polynesia
🇵🇬 flag-pg papua new guinea
🇵🇭 flag-ph philippines
🇵🇰 flag-pk pakistan
🇵🇱 flag-pl poland
🇵🇲 flag-pm st pierre miquelon
🇵🇳 flag-pn pitcairn islands
🇵🇷 flag-pr puerto rico
🇵🇸 flag-ps palestinian territories
🇵🇹 flag-pt portugal
🇵🇼 flag-pw palau
🇵🇾 flag-py paraguay
🇶🇦 flag-qa qatar
🇷🇪 flag-re reunion
🇷🇴 flag-ro romania
🇷🇸 flag-rs serbia
🇷🇺 ru,flag-ru russia
🇷🇼 flag-rw rwanda
🇸🇦 flag-sa saudi arabia
🇸🇧 flag-sb solomon islands
🇸🇨 flag-sc seychelles
🇸🇩 flag-sd sudan
🇸🇪 flag-se sweden
🇸🇬 flag-sg singapore
🇸🇭 flag-sh st helena
🇸🇮 flag-si slovenia
🇸🇯 flag-sj svalbard jan mayen
🇸🇰 flag-sk slovakia
🇸🇱 flag-sl sierra leone
🇸🇲 flag-sm san marino
🇸🇳 flag-sn senegal
🇸🇴 flag-so somalia
🇸🇷 flag-sr suriname
🇸🇸 flag-ss south sudan
🇸🇹 flag-st sao tome principe
🇸🇻 flag-sv el salvador
🇸🇽 flag-sx sint maarten
🇸🇾 flag-sy syria
🇸🇿 flag-sz eswatini
🇹🇦 flag-ta tristan da cunha
🇹🇨 flag-tc turks caicos islands
🇹🇩 flag-td chad
🇹🇫 flag-tf french southern territories
🇹🇬 flag-tg togo
🇹🇭 flag-th thailand
🇹🇯 flag-tj tajikistan
🇹🇰 flag-tk tokelau
🇹🇱 flag-tl timor leste
🇹🇲 flag-tm turkmenistan
🇹🇳 flag-tn tunisia
🇹🇴 flag-to tonga
🇹🇷 flag-tr turkiye
🇹🇹 flag-tt trinidad tobago
🇹🇻 flag-tv tuvalu
🇹🇼 flag-tw taiwan
🇹🇿 flag-tz tanzania
🇺🇦 flag-ua ukraine
🇺🇬 flag-ug uganda
🇺🇲 flag-um u s outlying islands
🇺🇳 flag-un united nations
🇺🇸 us,flag-us united states
🇺🇾 flag-uy uruguay
🇺🇿 flag-uz uzbekistan
🇻🇦 flag-va vatican city
🇻🇨 flag-vc st vincent grenadines
🇻🇪 flag-ve venezuela
🇻🇬 flag-vg british virgin islands
🇻🇮 flag-vi u s virgin islands
🇻🇳 flag-vn vietnam
🇻🇺 flag-vu vanuatu
🇼🇫 flag-wf wallis futuna
🇼🇸 flag-ws samoa
🇽🇰 flag-xk kosovo
🇾🇪 flag-ye yemen
🇾🇹 flag-yt mayotte
🇿🇦 flag-za south africa
🇿🇲 flag-zm zambia
🇿🇼 flag-zw zimbabwe
🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag-england gbeng
🏴󠁧󠁢󠁳󠁣󠁴󠁿 flag-scotland gbsct
🏴󠁧󠁢󠁷󠁬󠁳󠁿 flag-wales gbwls
`;function m(){let e=[];for(let r of g.trim().split(`
`)){let[i="",o="",...a]=r.split(" ");if(i==="#"){e.push({name:o,emoji:[]});continue}let n=o.split(",");e.at(-1)?.emoji.push({emoji:i.replace("*",""),codes:n,toned:i.endsWith("*"),words:[...n,...n.flatMap(t=>t.split(/[_-]/)),...a].join(" ")})}return e}var h=m(),l=h.flatMap(e=>e.emoji),u="👍 ❤️ 😂 🎉 👀 🙏 ✅ 😄 🔥 💯 🚀 👏 🙌 😊 😍 🤔 😅 😢 😭 😎 😉 👋 💪 👎 😮 😡 🥳 ✨ 💡 ⭐ 🐛".split(" "),c=new Map(u.map((e,r)=>[e,r]));function p({words:e,codes:r},i){return r.includes(i)?0:r.some(o=>o.startsWith(i))||` ${e} `.includes(` ${i} `)?1:` ${e}`.includes(` ${i}`)?2:3}function b(e,r){let i=e.toLowerCase(),o=a=>c.get(a.emoji)??c.size;return l.map(a=>({e:a,rank:p(a,i)})).filter(a=>a.rank<3).sort((a,n)=>a.rank-n.rank||o(a.e)-o(n.e)).slice(0,r).map(a=>a.e)}function v(e){let r=e.trim().toLowerCase().split(/[\s_]+/).filter(Boolean),[i=""]=r;return b(i,l.length).filter(o=>r.every(a=>` ${o.words}`.includes(` ${a}`)))}var f=e=>l.find(r=>r.codes.includes(e)),_=["","🏻","🏼","🏽","🏾","🏿"];function w({emoji:e,toned:r},i){if(!r||!i)return e;let[o="",...a]=e;return o+i+(a[0]==="️"?a.slice(1):a).join("")}var y=/(`{3,})[^]*?\1`*|`[^`\n]+`|https?:\S+|(?<![\p{L}\p{N}_/:])(?::[\p{L}\p{N}_+-]+:)+(?![\p{L}\p{N}_/])/giu,k=/:([^:]+):(?::skin-tone-([2-6]):)?/g;function x(e,r=0){return e.replace(y,(i,o,a)=>!i.startsWith(":")||a<r?i:i.replace(k,(n,t,d="1")=>{let s=f(t.toLowerCase());return s?w(s,_[Number(d)-1]??""):n}))}export{h as a,l as b,u as c,b as d,v as e,f,_ as g,w as h,x as i};
