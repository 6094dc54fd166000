// Made by Data/make-lists.swift from Foundation's list and number styles. Not to be edited by hand.
// One file, because one run of Foundation makes it: its tables go together.

/// How locales write lists and numbers, and which locales there are.
///
/// Of a locale that has no row, that of what is left without its last part counts: of `de_AT` that of `de`.
enum ListTables {
    /// A list of two | of three | of five | locales. Of all others "1, 2", "1, 2, 3".
    static let lists = """
        1 en 2 | 1, 2 en 3 | 1, 2, 3, 4 en 5 | af fy nl
        1 ne 2 | 1, 2, ne 3 | 1, 2, 3, 4, ne 5 | ak
        1 እና 2 | 1፣ 2 እና 3 | 1፣ 2፣ 3፣ 4 እና 5 | am
        1 و2 | 1 و2 و3 | 1 و2 و3 و4 و5 | ar
        1 আৰু 2 | 1, 2 আৰু 3 | 1, 2, 3, 4 আৰু 5 | as
        1 y 2 | 1, 2 y 3 | 1, 2, 3, 4 y 5 | ast es
        1 və 2 | 1, 2 və 3 | 1, 2, 3, 4 və 5 | az
        1, 2 | 1, 2, 3 | 1, 2, 3, 4, 5 | az_Cyrl mni_Mtei ms_Arab pa_Arab pa_Aran_PK sd_Deva uz_Arab uz_Cyrl
        1 і 2 | 1, 2 і 3 | 1, 2, 3, 4 і 5 | be uk
        1 и 2 | 1, 2 и 3 | 1, 2, 3, 4 и 5 | bg bs_Cyrl mk ru sr
        1 na 2 | 1, 2 na 3 | 1, 2, 3, 4 na 5 | blo sw
        1 এবং 2 | 1, 2 এবং 3 | 1, 2, 3, 4 এবং 5 | bn
        1 ha 2 | 1, 2 ha 3 | 1, 2, 3, 4 ha 5 | br
        1 आरो 2 | 1, 2, आरो 3 | 1, 2, 3, 4, आरो 5 | brx
        1 i 2 | 1, 2 i 3 | 1, 2, 3, 4 i 5 | bs ca hr kea pl sr_Latn
        1 𑄃𑄳𑄃 2 | 1, 2 𑄃𑄳𑄃 3 | 1, 2, 3, 4 𑄃𑄳𑄃 5 | ccp
        1 ug 2 | 1, 2, ug 3 | 1, 2, 3, 4, ug 5 | ceb
        1 ᎠᎴ 2 | 1, 2, ᎠᎴ 3 | 1, 2, 3, 4, ᎠᎴ 5 | chr
        1 a 2 | 1, 2 a 3 | 1, 2, 3, 4 a 5 | cs
        1 ᐊᐠᐘ 2 | 1, 2, 3 | 1, 2, 3, 4, 5 | csw
        1 тата 2 | 1, 2 тата 3 | 1, 2, 3, 4 тата 5 | cv
        1 a(c) 2 | 1, 2, a(c) 3 | 1, 2, 3, 4, a(c) 5 | cy
        1 og 2 | 1, 2 og 3 | 1, 2, 3, 4 og 5 | da is nb nn no
        1 und 2 | 1, 2 und 3 | 1, 2, 3, 4 und 5 | de gsw wae
        1 ते 2 | 1, 2, ते 3 | 1, 2, 3, 4, ते 5 | doi
        1 a 2 | 1, 2 a 3 | 1, 2, 3, 4 a 5 | dsb hsb
        1 དང་ 2 | 1 དང་ 2 དང་ 3 | 1 དང་ 2 དང་ 3 དང་ 4 དང་ 5 | dz
        1 kple 2 | 1, 2, kple 3 | 1, 2, 3, 4, kple 5 | ee
        1 και 2 | 1, 2 και 3 | 1, 2, 3, 4 και 5 | el
        1 and 2 | 1, 2, and 3 | 1, 2, 3, 4, and 5 | en ug
        1 and 2 | 1, 2 and 3 | 1, 2, 3, 4 and 5 | en_CA en_GB
        1 ja 2 | 1, 2 ja 3 | 1, 2, 3, 4 ja 5 | et fi se
        1 eta 2 | 1, 2 eta 3 | 1, 2, 3, 4 eta 5 | eu
        1 و 2 | 1،‏ 2، و 3 | 1،‏ 2،‏ 3،‏ 4، و 5 | fa
        1 𞤫 2 | 1⹁ 2⹁ 𞤫 3 | 1⹁ 2⹁ 3⹁ 4⹁ 𞤫 5 | ff_Adlm
        1 at 2 | 1, 2, at 3 | 1, 2, 3, 4, at 5 | fil
        1 og 2 | 1, 2, og 3 | 1, 2, 3, 4, og 5 | fo
        1 et 2 | 1, 2 et 3 | 1, 2, 3, 4 et 5 | fr
        1 e 2 | 1, 2 e 3 | 1, 2, 3, 4 e 5 | fur gl ia it pt rm sc vec
        1 agus 2 | 1, 2 agus 3 | 1, 2, 3, 4 agus 5 | ga gd
        1 અને 2 | 1, 2 અને 3 | 1, 2, 3, 4 અને 5 | gu
        1 da 2 | 1, 2, da 3 | 1, 2, 3, 4, da 5 | ha
        1 ו-2 | 1, 2 ו-3 | 1, 2, 3, 4 ו-5 | he
        1 और 2 | 1, 2 और 3 | 1, 2, 3, 4 और 5 | hi
        1 aur 2 | 1, 2, aur 3 | 1, 2, 3, 4, aur 5 | hi_Latn
        1 és 2 | 1, 2 és 3 | 1, 2, 3, 4 és 5 | hu
        1 և 2 | 1, 2 և 3 | 1, 2, 3, 4 և 5 | hy
        1 dan 2 | 1, 2, dan 3 | 1, 2, 3, 4, dan 5 | id
        1 e 2 | 1, 2, 3 | 1, 2, 3, 4, 5 | ie
        1 na 2 | 1, 2, na 3 | 1, 2, 3, 4, na 5 | ig
        1ꌋꆀ2 | 1、2ꌋꆀ3 | 1、2、3、4ꌋꆀ5 | ii
        1、2 | 1、2、3 | 1、2、3、4、5 | ja
        1 pɔp 2 | 1, ŋ́gɛ 2, ḿbɛn ŋ́gɛ 3 | 1, ŋ́gɛ 2, ŋ́gɛ 3, ŋ́gɛ 4, ḿbɛn ŋ́gɛ 5 | jgo
        1 lan 2 | 1, 2, lan 3 | 1, 2, 3, 4, lan 5 | jv
        1 და 2 | 1, 2 და 3 | 1, 2, 3, 4 და 5 | ka
        1 kar 2 | 1, 2 kar 3 | 1, 2, 3, 4 kar 5 | kgp
        1 және 2 | 1, 2, 3 | 1, 2, 3, 4, 5 | kk
        1 និង​2 | 1, 2 និង 3 | 1, 2, 3, 4 និង 5 | km
        1 ಮತ್ತು 2 | 1, 2, ಮತ್ತು 3 | 1, 2, 3, 4, ಮತ್ತು 5 | kn
        1 및 2 | 1, 2 및 3 | 1, 2, 3, 4 및 5 | ko
        1 تٕہ 2 | 1، 2، تٕہ 3 | 1، 2، 3، 4، تٕہ 5 | ks
        1 ति 2 | 1, 2, ति 3 | 1, 2, 3, 4, ति 5 | ks_Deva
        1 un 2 | 1, 2 un 3 | 1, 2, 3, 4 un 5 | ksh lv
        1 û 2 | 1, 2 û 3 | 1, 2, 3, 4 û 5 | ku
        1 aḍe 2 | 1, 2, aḍe 3 | 1, 2, 3, 4, aḍe 5 | kxv
        1 ऑड़े 2 | 1, 2, ऑड़े 3 | 1, 2, 3, 4, ऑड़े 5 | kxv_Deva
        1 ଅଡ଼େ 2 | 1, 2, ଅଡ଼େ 3 | 1, 2, 3, 4, ଅଡ଼େ 5 | kxv_Orya
        1 మరియు 2 | 1, 2, మరియు 3 | 1, 2, 3, 4, మరియు 5 | kxv_Telu
        1 жана 2 | 1, 2 жана 3 | 1, 2, 3, 4 жана 5 | ky
        1 a(n) 2 | 1, 2 a(n) 3 | 1, 2, 3, 4 a(n) 5 | lb
        1 ແລະ 2 | 1, 2, 3 | 1, 2, 3, 4, 5 | lo
        1 ir 2 | 1, 2 ir 3 | 1, 2, 3, 4 ir 5 | lt
        1 और 2 | 1, 2, और 3 | 1, 2, 3, 4, और 5 | mai
        1 കൂടാതെ 2 | 1, 2, 3 എന്നിവ | 1, 2, 3, 4, 5 എന്നിവ | ml
        1 অমসুং 2 | 1, 2 অমসুং 3 | 1, 2, 3, 4 অমসুং 5 | mni
        1 आणि 2 | 1, 2 आणि 3 | 1, 2, 3, 4 आणि 5 | mr
        1 dan 2 | 1, 2 dan 3 | 1, 2, 3, 4 dan 5 | ms
        1 u 2 | 1, 2, u 3 | 1, 2, 3, 4, u 5 | mt
        1နှင့် 2 | 1 - 2နှင့် 3 | 1 - 2 - 3 - 4နှင့် 5 | my
        1 र 2 | 1,2 र 3 | 1,2, 3, 4 र 5 | ne
        1 ଓ 2 | 1, 2, ଓ 3 | 1, 2, 3, 4, ଓ 5 | or
        1 ӕмӕ 2 | 1, 2 ӕмӕ 3 | 1, 2, 3, 4 ӕмӕ 5 | os
        1 ਅਤੇ 2 | 1, 2 ਅਤੇ 3 | 1, 2, 3, 4 ਅਤੇ 5 | pa
        1 an 2 | 1, 2, an 3 | 1, 2, 3, 4, an 5 | pcm
        1 او 2 | 1، 2، او 3 | 1، 2، 3، 4، او 5 | ps
        1 și 2 | 1, 2 și 3 | 1, 2, 3, 4 și 5 | ro
        1 तथा 2 | 1, 2, तथा 3 | 1, 2, 3, 4, तथा 5 | sa
        1 уонна 2 | 1, 2 уонна 3 | 1, 2, 3, 4 уонна 5 | sah
        1 ۽ 2 | 1، 2، ۽ 3 | 1، 2، 3، 4، ۽ 5 | sd
        1 සහ 2 | 1, 2, සහ 3 | 1, 2, 3, 4, සහ 5 | si
        1 a 2 | 1, 2 a 3 | 1, 2, 3, 4 a 5 | sk
        1 in 2 | 1, 2 in 3 | 1, 2, 3, 4 in 5 | sl
        1 iyo 2 | 1, 2 iyo 3 | 1, 2, 3, 4 iyo 5 | so
        1 dhe 2 | 1, 2 dhe 3 | 1, 2, 3, 4 dhe 5 | sq
        1 sareng 2 | 1, 2, sareng 3 | 1, 2, 3, 4, sareng 5 | su
        1 och 2 | 1, 2 och 3 | 1, 2, 3, 4 och 5 | sv
        1 ܘ2 | 1 ܘ2 ܘ3 | 1 ܘ2 ܘ3 ܘ4 ܘ5 | syr
        1 மற்றும் 2 | 1, 2 மற்றும் 3 | 1, 2, 3, 4 மற்றும் 5 | ta
        1 మరియు 2 | 1, 2 మరియు 3 | 1, 2, 3, 4 మరియు 5 | te
        1 ва 2 | 1, 2, 3 | 1, 2, 3, 4, 5 | tg
        1 และ 2 | 1 2 และ 3 | 1 2 3 4 และ 5 | th
        1ን 2ን | 1፣ 2ን 3ን | 1፣ 2፣ 3፣ 4ን 5ን | ti
        1 we 2 | 1, 2 we 3 | 1, 2, 3, 4 we 5 | tk
        1 mo 2 | 1 mo 2 mo 3 | 1 mo 2 mo 3 mo 4 mo 5 | to
        1 ve 2 | 1, 2 ve 3 | 1, 2, 3, 4 ve 5 | tr
        1 һәм 2 | 1, 2 һәм 3 | 1, 2, 3, 4 һәм 5 | tt
        1 اور 2 | 1، 2، اور 3 | 1، 2، 3، 4، اور 5 | ur
        1 va 2 | 1, 2 va 3 | 1, 2, 3, 4 va 5 | uz
        1 và 2 | 1, 2 và 3 | 1, 2, 3, 4 và 5 | vi
        1 कने 2 | 1, 2, कने 3 | 1, 2, 3, 4, कने 5 | xnr
        1 און 2 | 1, 2 און 3 | 1, 2, 3, 4 און 5 | yi
        1 àti2 | 1, 2, 3 | 1, 2, 3, 4, 5 | yo
        1 asuí 2 | 1, 2 asuí 3 | 1, 2, 3, 4 asuí 5 | yrl
        1同2 | 1、2同3 | 1、2、3、4同5 | yue
        1和2 | 1、2和3 | 1、2、3、4和5 | zh
        1及2 | 1、2及3 | 1、2、3、4及5 | zh_Hant_HK zh_Hant_MO
        1 ne-2 | 1, 2, ne-3 | 1, 2, 3, 4, ne-5 | zu
        """

    /// The digit zero, as a character's number; the others follow it | locales. Of all others ASCII's.
    static let zeros = """
        660 | ar_BH ar_DJ ar_EG ar_ER ar_IL ar_IQ ar_JO ar_KM ar_KW ar_LB ar_MR ar_OM ar_PS ar_QA ar_SA \
        ar_SD ar_SO ar_SS ar_SY ar_TD ar_YE ckb sd
        9e6 | as mni
        966 | bgc bho ne raj sa sat_Deva
        11136 | ccp
        f20 | dz
        6f0 | fa ks lrc mzn pa_Arab pa_Aran_PK ps uz_Arab
        1e950 | ff_Adlm
        30 | ks_Deva sd_Deva
        abf0 | mni_Mtei
        1040 | my
        7c0 | nqo
        1c50 | sat
        """

    /// Locales whose texts run from right to left (yes), and those that differ from their language's (no).
    static let rightToLeft = """
        yes | ar ckb dv fa ff_Adlm he ks lrc mid ms_Arab mzn nqo pa_Arab pa_Aran_PK ps rhg sd syr ug ur \
        uz_Arab yi
        no | ks_Deva sd_Deva
        """

    /// Languages, regions: the one where most of a language's readers are comes first, before it their script, where a
    /// language has several.
    static let locales = """
        af ZA NA
        agq CM
        ain JP
        ak GH
        am ET
        apw US
        ar EG 001 AE BH DJ DZ EH ER IL IQ JO KM KW LB LY MA MR OM PS QA SA SD SO SS SY TD TN YE
        arn CL
        as IN
        asa TZ
        ast ES
        az Latn
        az_Cyrl AZ
        az_Latn AZ
        ba RU
        bas CM
        be BY
        bem ZM
        ber Tfng
        ber_Latn MA
        ber_Tfng MA
        bez TZ
        bg BG
        bgc IN
        bho IN
        blo BJ
        bm ML
        bn BD IN
        bo CN IN
        br FR
        brx IN
        bs Latn
        bs_Cyrl BA
        bs_Latn BA
        byn ER
        ca ES AD FR IT
        ccp BD IN
        ce RU
        ceb PH
        cgg UG
        cho US
        chr US
        cic US
        ckb IQ IR
        co FR
        cs CZ
        csw CA
        cv RU
        cy GB
        da DK GL
        dav KE
        de DE AT BE CH IT LI LU
        dje NE
        doi IN
        dsb DE
        dua CM
        dv MV
        dyo SN
        dz BT
        ebu KE
        ee GH TG
        el GR CY
        en US 001 150 AE AG AI AL AR AS AT AU BB BD BE BG BI BM BN BR BS BW BZ CA CC CH CK CL CM CN CO CV CX \
        CY CZ DE DG DK DM EE ER FI FJ FK FM FR GB GD GG GH GI GM GR GU GY HK HU ID IE IL IM IN IO JE JM JP \
        KE KI KN KR KY LC LR LS LT LV MG MH MM MO MP MS MT MU MV MW MX MY NA NF NG NL NO NR NU NZ PG PH PK \
        PL PN PR PT PW RU RW SA SB SC SD SE SG SH SI SK SL SS SX SZ TC TH TK TO TR TT TV TW TZ UA UG UM VC \
        VG VI VU WS ZA ZM ZW
        en_US_POSIX
        eo 001
        es ES 003 419 AG AR BB BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EA EC GD GQ GT GY HN HT IC KN KY LC \
        MX NI PA PE PH PR PY SV TC TT US UY VC VE VG VI
        et EE
        eu ES
        ewo CM
        fa IR AF
        ff Latn
        ff_Adlm GN BF CM GH GM GW LR MR NE NG SL SN
        ff_Latn SN BF CM GH GM GN GW LR MR NE NG SL
        fi FI
        fil PH
        fo FO DK
        fr FR BE BF BI BJ BL CA CD CF CG CH CI CM DJ DZ GA GF GN GP GQ HT KM LU MA MC MF MG ML MQ MR MU NC \
        NE PF PM RE RW SC SN SY TD TG TN VU WF YT
        fur IT
        fy NL
        ga IE GB
        gaa GH
        gd GB
        gez ET ER
        gl ES
        gn PY
        gsw CH FR LI
        gu IN
        guz KE
        gv IM
        ha NG GH NE
        haw US
        he IL
        hi IN
        hi_Latn IN
        hmn CN
        hr HR BA
        hsb DE
        hu HU
        hy AM
        ia 001
        id ID
        ie EE
        ig NG
        ii CN
        inh
        io 001
        is IS
        it IT CH SM VA
        iu CA
        ja JP
        jbo 001
        jgo CM
        jmc TZ
        jv ID
        ka GE
        kab DZ
        kaj NG
        kam KE
        kcg NG
        kde TZ
        kea CV
        kgp BR
        khq ML
        ki KE
        kk Cyrl KZ
        kk_Cyrl KZ
        kkj CM
        kl GL
        kln KE
        km KH
        kn IN
        ko KR CN KP
        kok Deva
        kok_Deva IN
        kok_Latn IN
        kpe LR GN
        ks
        ks_Arab IN
        ks_Aran IN
        ks_Deva IN
        ksb TZ
        ksf CM
        ksh DE
        ku TR
        kw GB
        kxv Latn
        kxv_Deva IN
        kxv_Latn IN
        kxv_Orya IN
        kxv_Telu IN
        ky KG
        lag TZ
        lb LU
        lg UG
        lij IT
        lkt US
        lmo IT
        ln CD AO CF CG
        lo LA
        lrc IR IQ
        lt LT
        lu CD
        luo KE
        lut
        luy KE
        lv LV
        mai IN
        mas KE TZ
        mer KE
        mfe MU
        mg MG
        mgh MZ
        mgo CM
        mi NZ
        mic CA
        mid IQ
        mk MK
        ml IN
        mn MN
        mni Beng
        mni_Beng IN
        mni_Mtei IN
        moh CA
        mr IN
        ms MY BN ID SG
        ms_Arab MY BN
        mt MT
        mua CM
        mus US
        my MM
        myv RU
        mzn IR
        naq NA
        nb NO SJ
        nd ZW
        nds DE NL
        ne NP IN
        nl NL AW BE BQ CW SR SX
        nmg CM
        nn NO
        nnh CM
        nnp IN
        no
        nqo GN
        nr ZA
        nso ZA
        nus SS
        nv US
        ny MW
        nyn UG
        oc FR ES
        om ET KE
        or IN
        os GE RU
        osa US
        pa Guru
        pa_Arab PK
        pa_Aran PK
        pa_Guru IN
        pcm NG
        pl PL
        pqm CA
        prg PL
        ps AF PK
        pt BR AO CH CV FR GQ GW LU MO MZ PT ST TL
        qu PE BO EC
        raj IN
        rej ID
        rej_Rjng ID
        rhg Rohg
        rhg_Rohg MM BD
        rm CH
        rn BI
        ro RO MD
        rof TZ
        ru RU BY KG KZ MD UA
        rw RW
        rwk TZ
        sa IN
        sah RU
        saq KE
        sat Olck
        sat_Deva IN
        sat_Olck IN
        sbp TZ
        sc IT
        scn IT
        sd Arab
        sd_Arab PK
        sd_Deva IN
        se NO FI SE
        seh MZ
        ses ML
        sg CF
        shi Tfng
        shi_Latn MA
        shi_Tfng MA
        si LK
        sjd
        sje
        sju
        sk SK
        sl SI
        sm WS AS
        smn FI
        sn ZW
        so SO DJ ET KE
        sq AL MK XK
        sr Cyrl
        sr_Cyrl RS BA ME XK
        sr_Latn RS BA ME XK
        ss ZA SZ
        st ZA LS
        su Latn
        su_Latn ID
        sv SE AX FI
        sw TZ CD KE UG
        syr IQ SY
        szl PL
        ta IN LK MY SG
        te IN
        teo UG KE
        tg TJ
        th TH
        ti ET ER
        tig ER
        tk TM
        tn ZA BW
        to TO
        tok 001
        tr TR CY
        trv TW
        ts ZA
        tt RU
        twq NE
        tzm MA
        ug CN
        uk UA
        ur
        ur_Arab PK IN
        ur_Aran PK IN
        uz Latn
        uz_Arab AF
        uz_Cyrl UZ
        uz_Latn UZ
        vai Vaii
        vai_Latn LR
        vai_Vaii LR
        ve ZA
        vec IT
        vi VN
        vmw MZ
        vun TZ
        wa BE
        wae CH
        wal ET
        wo SN
        xh ZA
        xnr IN
        xog UG
        yav CM
        yi UA
        yo NG BJ
        yrl BR CO VE
        yue Hant
        yue_Hans CN
        yue_Hant HK CN
        za CN
        zgh MA
        zh Hans
        zh_Hans CN HK JP MO MY SG
        zh_Hant TW CN HK JP MO MY
        zu ZA
        """

    /// Characters for which an item is isolated where texts run from left to right.
    static let rightToLeftCharacters = """
        590 5be 5c0 5c3 5c6 5c8-605 608 60b 60d 61b-64a 660-669 66b-66f 671-6d5 6dd 6e5-6e6 6ee-6ef 6fa-710 \
        712-72f 74b-7a5 7b1-7ea 7f4-7f5 7fa-7fc 7fe-815 81a 824 828 82e-858 85c-896 8a0-8c9 8e2 200f 202b \
        202e fb1d fb1f-fb28 fb2a-fd3d fd50-fdce fdf0-fdfc fe70-fefe 10800-1091e 10920-10a00 10a04 \
        10a07-10a0b 10a10-10a37 10a3b-10a3e 10a40-10ae4 10ae7-10b38 10b40-10d23 10d28-10d68 10d6f-10eaa \
        10ead-10efb 10f00-10f45 10f51-10f81 10f86-10fff 1e800-1e8cf 1e8d7-1e943 1e94b-1eeef 1eef2-1efff
        """

    /// The same where texts run from right to left.
    static let leftToRightCharacters = """
        41-5a 61-7a aa b5 ba c0-d6 d8-f6 f8-2b8 2bb-2c1 2d0-2d1 2e0-2e4 2ee 370-373 376-37d 37f-383 386 \
        388-3f5 3f7-482 48a-589 58b-58c 903-939 93b 93d-940 949-94c 94e-950 958-961 964-980 982-9bb 9bd-9c0 \
        9c5-9cc 9ce-9e1 9e4-9f1 9f4-9fa 9fc-9fd 9ff-a00 a03-a3b a3d-a40 a43-a46 a49-a4a a4e-a50 a52-a6f \
        a72-a74 a76-a80 a83-abb abd-ac0 ac6 ac9-acc ace-ae1 ae4-af0 af2-af9 b00 b02-b3b b3d-b3e b40 b45-b4c \
        b4e-b54 b57-b61 b64-b81 b83-bbf bc1-bcc bce-bf2 bfb-bff c01-c03 c05-c3b c3d c41-c45 c49 c4e-c54 \
        c57-c61 c64-c77 c7f-c80 c82-cbb cbd-ccb cce-ce1 ce4-cff d02-d3a d3d-d40 d45-d4c d4e-d61 d64-d80 \
        d82-dc9 dcb-dd1 dd5 dd7-e30 e32-e33 e3b-e3e e40-e46 e4f-eb0 eb2-eb3 ebd-ec7 ecf-f17 f1a-f34 f36 f38 \
        f3e-f70 f7f f85 f88-f8c f98 fbd-fc5 fc7-102c 1031 1038 103b-103c 103f-1057 105a-105d 1061-1070 \
        1075-1081 1083-1084 1087-108c 108e-109c 109e-135c 1360-138f 139a-13ff 1401-167f 1681-169a 169d-1711 \
        1715-1731 1734-1751 1754-1771 1774-17b3 17b6 17be-17c5 17c7-17c8 17d4-17da 17dc 17de-17ef 17fa-17ff \
        1810-1884 1887-18a8 18aa-191f 1923-1926 1929-1931 1933-1938 193c-193f 1941-1943 1946-19dd 1a00-1a16 \
        1a19-1a1a 1a1c-1a55 1a57 1a5f 1a61 1a63-1a64 1a6d-1a72 1a7d-1a7e 1a80-1aaf 1acf-1aff 1b04-1b33 1b35 \
        1b3b 1b3d-1b41 1b43-1b6a 1b74-1b7f 1b82-1ba1 1ba6-1ba7 1baa 1bae-1be5 1be7 1bea-1bec 1bee 1bf2-1c2b \
        1c34-1c35 1c38-1ccf 1cd3 1ce1 1ce9-1cec 1cee-1cf3 1cf5-1cf7 1cfa-1dbf 1e00-1fbc 1fbe 1fc2-1fcc \
        1fd0-1fdc 1fe0-1fec 1ff0-1ffc 1fff 200e 202a 202d 2071-2073 207f 208f-209f 20f1-20ff 2102 2107 \
        210a-2113 2115 2119-211d 2124 2126 2128 212a-212d 212f-2139 213c-213f 2145-2149 214e-214f 2160-2188 \
        218c-218f 2336-237a 2395 242a-243f 244b-245f 249c-24e9 26ac 2800-28ff 2b74-2b75 2b96 2c00-2ce4 \
        2ceb-2cee 2cf2-2cf8 2d00-2d7e 2d80-2ddf 2e5e-2e7f 2e9a 2ef4-2eff 2fd6-2fef 3005-3007 3021-3029 \
        302e-302f 3031-3035 3038-303c 3040-3098 309d-309f 30a1-30fa 30fc-31bf 31e6-31ee 31f0-321c 321f-324f \
        3260-327b 327f-32b0 32c0-32cb 32d0-3376 337b-33dd 33e0-33fe 3400-4dbf 4e00-a48f a4c7-a60c a610-a66e \
        a680-a69d a6a0-a6ef a6f2-a6ff a722-a787 a789-a801 a803-a805 a807-a80a a80c-a824 a827 a82d-a837 \
        a83a-a873 a878-a8c3 a8c6-a8df a8f2-a8fe a900-a925 a92e-a946 a952-a97f a983-a9b2 a9b4-a9b5 a9ba-a9bb \
        a9be-a9e4 a9e6-aa28 aa2f-aa30 aa33-aa34 aa37-aa42 aa44-aa4b aa4d-aa7b aa7d-aaaf aab1 aab5-aab6 \
        aab9-aabd aac0 aac2-aaeb aaee-aaf5 aaf7-ab69 ab6c-abe4 abe6-abe7 abe9-abec abee-d7ff e000-fb1c \
        fe1a-fe1f fe53 fe67 fe6c-fe6f ff00 ff21-ff3a ff41-ff5a ff66-ffdf ffe7 ffef 10000-10100 10102-1013f \
        1018d-1018f 1019d-1019f 101a1-101fc 101fe-102df 102fc-10375 1037b-107ff 11000 11002-11037 \
        11047-11051 11066-1106f 11071-11072 11075-1107e 11082-110b2 110b7-110b8 110bb-110c1 110c3-110ff \
        11103-11126 1112c 11135-11172 11174-1117f 11182-111b5 111bf-111c8 111cd-111ce 111d0-1122e \
        11232-11233 11235 11238-1123d 1123f-11240 11242-112de 112e0-112e2 112eb-112ff 11302-1133a \
        1133d-1133f 11341-11365 1136d-1136f 11375-113ba 113c1-113cd 113cf 113d1 113d3-113e0 113e3-11437 \
        11440-11441 11445 11447-1145d 1145f-114b2 114b9 114bb-114be 114c1 114c4-115b1 115b6-115bb 115be \
        115c1-115db 115de-11632 1163b-1163c 1163e 11641-1165f 1166d-116aa 116ac 116ae-116af 116b6 \
        116b8-1171c 1171e 11720-11721 11726 1172c-1182e 11838 1183b-1193a 1193d 1193f-11942 11944-119d3 \
        119d8-119d9 119dc-119df 119e1-11a00 11a07-11a08 11a0b-11a32 11a39-11a3a 11a3f-11a46 11a48-11a50 \
        11a57-11a58 11a5c-11a89 11a97 11a9a-11c2f 11c37 11c3e-11c91 11ca8-11ca9 11cb1 11cb4 11cb7-11d30 \
        11d37-11d39 11d3b 11d3e 11d46 11d48-11d8f 11d92-11d94 11d96 11d98-11ef2 11ef5-11eff 11f02-11f35 \
        11f3b-11f3f 11f41 11f43-11f59 11f5b-11fd4 11ff2-1343f 13441-13446 13456-1611d 1612a-1612c \
        16130-16aef 16af5-16b2f 16b37-16f4e 16f50-16f8e 16f93-16fe1 16fe3 16fe5-1bc9c 1bc9f 1bca4-1cbff \
        1ccd6-1ccef 1ccfa-1ccff 1ceb4-1ceff 1cf2e-1cf2f 1cf47-1d166 1d16a-1d172 1d183-1d184 1d18c-1d1a9 \
        1d1ae-1d1e8 1d1eb-1d1ff 1d246-1d2ff 1d357-1d6c0 1d6c2-1d6da 1d6dc-1d6fa 1d6fc-1d714 1d716-1d734 \
        1d736-1d74e 1d750-1d76e 1d770-1d788 1d78a-1d7a8 1d7aa-1d7c2 1d7c4-1d7cd 1d800-1d9ff 1da37-1da3a \
        1da6d-1da74 1da76-1da83 1da85-1da9a 1daa0 1dab0-1dfff 1e007 1e019-1e01a 1e022 1e025 1e02b-1e08e \
        1e090-1e12f 1e137-1e2ad 1e2af-1e2eb 1e2f0-1e2fe 1e300-1e4eb 1e4f0-1e5ed 1e5f0-1e7ff 1f02c-1f02f \
        1f094-1f09f 1f0af-1f0b0 1f0c0 1f0d0 1f0f6-1f0ff 1f110-1f12e 1f130-1f169 1f170-1f1ac 1f1ae-1f25f \
        1f266-1f2ff 1f6d8-1f6db 1f6ed-1f6ef 1f6fd-1f6ff 1f777-1f77a 1f7da-1f7df 1f7ec-1f7ef 1f7f1-1f7ff \
        1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8af 1f8bc-1f8bf 1f8c2-1f8ff 1fa54-1fa5f \
        1fa6e-1fa6f 1fa7d-1fa7f 1fa8a-1fa8e 1fac7-1facd 1fadd-1fade 1faea-1faef 1faf9-1faff 1fb93 \
        1fbfa-1fffd 20000-2fffd 30000-3fffd 40000-4fffd 50000-5fffd 60000-6fffd 70000-7fffd 80000-8fffd \
        90000-9fffd a0000-afffd b0000-bfffd c0000-cfffd d0000-dfffd e1000-efffd f0000-ffffd 100000-10fffd
        """
}
