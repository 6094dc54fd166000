extension Wording {
    static let hebrew = Wording(
        people: Names(
            "נועה, איתי, תמר, יונתן, מיכל, אורי, שירה, דניאל, רות, גיל",
            "אלוני, ברק, גפן, דקל, הראל, זמיר, כרמון, ניצן, שקד, תבור",
            joiner: " "),
        works: Names(
            "לחם, ערפל, נחושת, גינה, נייר, חורף",
            "עננים, מגדלור, סיפורים, מכתבים, כוכבים, ספרים",
            joiner: " ו"),
        places: "גבעת האלון, נווה ענבר, מעיין צלול, חוף השקט, עמק הלבנה, תל ברוש, נחל דממה, רמת הרוח",
        items: "נעלי הליכה, קומקום כחול, מנורת שולחן, מעיל גשם, מטחנת קפה, שמיכת צמר",
        lines: #"""
            messages: <person> | האיחור שלי הוא עשר דקות, תתחילו בלעדיי. הלחם עליי!
            messages: <person> | סוף שבוע: <place> | ראית את השמיים? <emoji>\nתכף שולחים תמונות.
            mail: <person> | תשובה: חשבונית <number> | תודה, זה היה מהיר. חסר העמוד השני, אפשר לשלוח אותו \#
            שוב?
            podcasts: <work> | פרק <count> | שלוש אחיות, מגדלור אחד וחורף ארוך מאוד.
            news: <place> | המועצה החליטה להחזיר את קו המעבורת הישן. ההפלגות הראשונות באביב.
            calendar: פגישה: <person> | <clock>, חדר <digit>. עוד לא ענית להזמנה.
            photos: <person> | אלבום משותף: <place> | תמונות חדשות: <count> <emoji>
            shopping: <work> | חזר למלאי: <item>, <amount> ₪. נשארו <count>.
            social: <person> | <person> ועוד <count> אהבו את הפוסט "בוקר".
            sports: <place> – <rival> <digit>:<digit> | שער! נגיחה אחרי קרן בדקה <count>.
            banking: תשלום בכרטיס | <amount> ₪, <place>. לא ביצעת? אפשר לנעול את הכרטיס באפליקציה.
            delivery: חבילה <number> | עוד <count> תחנות. הגעה משוערת: <clock>.
            travel: שינוי רציף | הרכבת אל <place> יוצאת מרציף <digit> בשעה <clock>.
            """#)

    static let arabic = Wording(
        people: Names(
            "ليلى, عمر, نور, سامي, هدى, يوسف, مريم, كريم, سلمى, طارق",
            "الهاشم, بركات, النجار, سرحان, الخياط, منصور, الحداد, زيدان, قاسم, البستاني",
            joiner: " "),
        works: Names(
            "خبز, ضباب, نحاس, حديقة, ورق, شتاء",
            "غيوم, منارات, حكايات, رسائل, نجوم, كتب",
            joiner: " و"),
        places: """
            وادي الزهر, تل السنديان, عين الريم, مرفأ العنبر, النهر الهادئ, كرم الغيم, شاطئ اللؤلؤ, برج \
            النسيم
            """,
        items: "حذاء المشي, إبريق أزرق, مصباح مكتب, معطف مطر, مطحنة قهوة, بطانية صوف",
        lines: #"""
            messages: <person> | سأتأخر عشر دقائق، ابدؤوا من دوني. الخبز عليّ!
            messages: <person> | عطلة في <place> | هل رأيت السماء؟ <emoji>\nسأرسل الصور حالاً.
            mail: <person> | رد: فاتورة <number> | شكراً على السرعة. الصفحة الثانية ناقصة، هل يمكن إرسالها \#
            مرة أخرى؟
            podcasts: <work> | الحلقة <count> | ثلاث أخوات ومنارة واحدة وشتاء طويل جداً.
            news: <place> | المجلس يقرر إعادة خط العبّارة القديم، وأولى الرحلات في الربيع.
            calendar: اجتماع: <person> | الساعة <clock>، القاعة <digit>. لم يصل ردك على الدعوة بعد.
            photos: <person> | ألبوم مشترك: <place> | صور جديدة: <count> <emoji>
            shopping: <work> | متوفر من جديد: <item>، السعر <amount>. بقي <count>.
            social: <person> | إعجاب من <person> و<count> آخرين بمنشورك "صباح".
            sports: <place> <digit>–<digit> <rival> | هدف! ضربة رأسية بعد ركنية في الدقيقة <count>.
            banking: دفع بالبطاقة | المبلغ <amount> في <place>. لم تكن أنت؟ أوقف البطاقة من التطبيق.
            delivery: الطرد <number> | بقيت <count> محطات. الوصول المتوقع <clock>.
            travel: تغيير الرصيف | القطار إلى <place> يغادر من الرصيف <digit> الساعة <clock>.
            """#)

    static let hindi = Wording(
        people: Names(
            "आशा, रोहन, मीरा, कबीर, सुनीता, विक्रम, नेहा, अर्जुन, काव्या, देव",
            "शर्मा, वर्मा, पाठक, जोशी, मेहरा, त्रिवेदी, चौहान, बंसल, कुलकर्णी, नायर",
            joiner: " "),
        works: Names(
            "रोटी, कोहरा, ताँबा, बगीचा, काग़ज़, सर्दी",
            "बादल, दीपक, कहानियाँ, चिट्ठियाँ, तारे, किताबें",
            joiner: " और "),
        places: "नीलपुर, चंदनवाड़ी, शांतिघाट, आमगाँव, सूरजगढ़, मधुबाग, पीपलकोट, हिमताल",
        items: "चलने के जूते, नीली केतली, मेज़ का लैंप, बरसाती, कॉफ़ी ग्राइंडर, ऊनी कंबल",
        lines: #"""
            messages: <person> | मुझे दस मिनट की देर होगी, आप लोग शुरू कीजिए। रोटी मेरी तरफ़ से!
            messages: <person> | सप्ताहांत: <place> | आसमान देखा? <emoji>\nअभी तस्वीरें भेजते हैं।
            mail: <person> | उत्तर: बिल <number> | धन्यवाद, बहुत जल्दी हो गया। दूसरा पन्ना नहीं मिला, कृपया \#
            फिर भेजिए।
            podcasts: <work> | एपिसोड <count> | तीन बहनें, एक दीपस्तंभ और बहुत लंबी सर्दी।
            news: <place> | परिषद ने पुरानी नाव सेवा फिर शुरू करने का निर्णय लिया। पहली नाव वसंत में।
            calendar: बैठक: <person> | <clock>, कमरा <digit>। आपने अभी तक निमंत्रण का उत्तर नहीं दिया है।
            photos: <person> | साझा एल्बम: <place> | नई तस्वीरें: <count> <emoji>
            shopping: <work> | फिर उपलब्ध: <item>, ₹<amount>। केवल <count> बचे हैं।
            social: <person> | <person> और <count> अन्य लोगों को आपकी पोस्ट "सुबह" पसंद आई।
            sports: <place> <digit>–<digit> <rival> | गोल! कॉर्नर के बाद हेडर, <count>वाँ मिनट।
            banking: कार्ड से भुगतान | ₹<amount>, <place>। आपने नहीं किया? ऐप में कार्ड बंद कीजिए।
            delivery: पार्सल <number> | अभी <count> पड़ाव बाकी। अनुमानित समय <clock>।
            travel: प्लेटफ़ॉर्म बदला | <place> की ट्रेन प्लेटफ़ॉर्म <digit> से <clock> बजे चलेगी।
            """#)

    static let japanese = Wording(
        people: Names(
            "青山, 石川, 上田, 江口, 岡本, 北村, 桜井, 清水, 中野, 渡辺",
            "陽菜, 蓮, 美咲, 大輝, さくら, 悠斗, 結衣, 翔太, 葵, 直樹",
            joiner: " "),
        works: Names("パン, 霧, 銅, 庭, 紙, 冬", "雲, 灯台, 物語, 手紙, 星, 本棚", joiner: "と"),
        places: "緑ヶ浜, 白鳥町, 風見台, 月見坂, 青葉橋, 琥珀港, 松の里, 霧ヶ丘",
        items: "登山靴, 青いやかん, デスクライト, レインジャケット, コーヒーミル, ウールの毛布",
        lines: #"""
            messages: <person> | 十分ほど遅れます。先に始めていてください。パンは持っていきます！
            messages: <person> | 週末：<place> | 今の空、見ましたか？<emoji>\n写真を送りますね。
            mail: <person> | Re: 請求書 <number> | 早速ありがとうございます。二ページ目が抜けているようなので、もう一度お送りいただけますか。
            podcasts: <work> | 第<count>回 | 三人の姉妹と一つの灯台、そしてとても長い冬の話。
            news: <place> | 町議会は古い渡し船の再開を決めました。最初の便は春に出る予定です。
            calendar: <person>さんとの打ち合わせ | <clock>、会議室<digit>。招待にまだ返信していません。
            photos: <person> | 共有アルバム「<place>」 | 写真が<count>枚追加されました<emoji>
            shopping: <work> | 再入荷しました：<item>、残り<count>点です。
            social: <person> | <person>さんほか<count>人が「朝の散歩」にいいねしました。
            sports: <place> <digit>－<digit> <rival> | ゴール！<count>分、コーナーキックからのヘディング。
            banking: カードのご利用 | <place>で <amount> のお支払い。心当たりがない場合はアプリでカードを停止してください。
            delivery: お荷物 <number> | あと<count>か所です。<clock>ごろに到着予定です。
            travel: のりば変更 | <place>行きは<digit>番線から<clock>に発車します。
            """#)

    static let chinese = Wording(
        people: Names("林, 陈, 周, 苏, 沈, 叶, 顾, 程, 陆, 何", "晓雨, 子涵, 明远, 静怡, 浩然, 若曦, 文博, 思琪, 嘉宁, 云舟", joiner: ""),
        works: Names("面包, 晨雾, 黄铜, 花园, 纸张, 冬天", "云朵, 灯塔, 故事, 书信, 星星, 书架", joiner: "与"),
        places: "青溪镇, 白鹭湾, 松风里, 月牙湖, 琥珀港, 石桥村, 云岭, 晴川",
        items: "登山鞋, 蓝色水壶, 台灯, 雨衣, 咖啡研磨机, 羊毛毯",
        lines: #"""
            messages: <person> | 我要晚到十分钟，你们先开始吧。面包我来带！
            messages: <person> | 周末去<place> | 你看到天空了吗？<emoji>\n马上发照片给你。
            mail: <person> | 回复：发票 <number> | 谢谢，回得真快。好像少了第二页，能麻烦再发一次吗？
            podcasts: <work> | 第 <count> 期 | 三姐妹、一座灯塔和一个漫长的冬天。
            news: <place> | 议会决定恢复旧渡轮航线，首班船将于春天出发。
            calendar: 与<person>的会议 | <clock>，<digit> 号会议室。您尚未回复邀请。
            photos: <person> | 共享相簿：<place> | 新增了 <count> 张照片<emoji>
            shopping: <work> | 重新到货：<item>，¥<amount>，仅剩 <count> 件。
            social: <person> | <person>和另外 <count> 人赞了你的帖子"清晨"。
            sports: <place> <digit>:<digit> <rival> | 进球！第 <count> 分钟，角球头球破门。
            banking: 银行卡支付 | 在<place>消费 ¥<amount>。不是您本人？请在应用中锁定卡片。
            delivery: 包裹 <number> | 还有 <count> 站，预计 <clock> 送达。
            travel: 站台变更 | 开往<place>的列车改由 <digit> 号站台发车，时间 <clock>。
            """#)

    static let korean = Wording(
        people: Names("김, 이, 박, 최, 정, 강, 조, 윤, 장, 한", "서연, 민준, 지우, 하은, 도윤, 수아, 예준, 나래, 은호, 다인", joiner: ""),
        works: Names("빵, 안개, 구리, 정원, 종이, 겨울", "구름, 등대, 이야기, 편지, 별, 책장", joiner: " & "),
        places: "푸른내, 달맞이동, 솔바람리, 호박항, 은하마을, 돌다리, 새벽골, 참나무터",
        items: "등산화, 파란 주전자, 책상 조명, 우비, 커피 그라인더, 양모 담요",
        lines: #"""
            messages: <person> | 십 분쯤 늦을 것 같아요. 먼저 시작하세요. 빵은 제가 가져갈게요!
            messages: <person> | 주말 여행: <place> | 하늘 봤어요? <emoji>\n지금 사진 보낼게요.
            mail: <person> | 답장: 청구서 <number> | 빠른 답변 감사합니다. 두 번째 쪽이 빠진 것 같은데 다시 보내 주실 수 있을까요?
            podcasts: <work> | <count>화 | 세 자매와 등대 하나, 그리고 아주 긴 겨울 이야기.
            news: <place> | 의회가 옛 나룻배 노선을 되살리기로 했습니다. 첫 배는 봄에 떠납니다.
            calendar: <person> 님과 회의 | <clock>, <digit>번 회의실. 아직 초대에 답하지 않았습니다.
            photos: <person> | 공유 앨범: <place> | 새 사진 <count>장이 추가되었습니다 <emoji>
            shopping: <work> | 재입고: <item>, 남은 수량 <count>개.
            social: <person> | <person> 님 외 <count>명이 "아침 산책" 글을 좋아합니다.
            sports: <place> <digit>:<digit> <rival> | 골! <count>분, 코너킥에 이은 헤딩.
            banking: 카드 결제 | <place>에서 ₩<amount> 결제. 본인이 아니라면 앱에서 카드를 잠그세요.
            delivery: 택배 <number> | 도착까지 <count>곳 남았습니다. 예상 시각 <clock>.
            travel: 승강장 변경 | <place>행 열차는 <digit>번 승강장에서 <clock>에 출발합니다.
            """#)

    static let thai = Wording(
        people: Names(
            "สมใจ, ก้อง, มะลิ, ธนา, ปลายฟ้า, อาทิตย์, น้ำฝน, ภูมิ, ดาว, เอก",
            "ใจดี, รุ่งเรือง, ทองคำ, แสงจันทร์, สุขใส, บุญมา, ศรีสวย, พงษ์ไพร, วารี, มั่นคง",
            joiner: " "),
        works: Names(
            "ขนมปัง, หมอก, ทองแดง, สวน, กระดาษ, ฤดูหนาว",
            "ก้อนเมฆ, ประภาคาร, เรื่องเล่า, จดหมาย, ดวงดาว, หนังสือ",
            joiner: "กับ"),
        places: "บ้านลำธาร, ท่าอำพัน, เขาหมอกขาว, ทุ่งดาว, หาดเงียบ, สะพานหิน, ดอยสน, คลองใส",
        items: "รองเท้าเดินป่า, กาน้ำสีฟ้า, โคมไฟตั้งโต๊ะ, เสื้อกันฝน, เครื่องบดกาแฟ, ผ้าห่มขนสัตว์",
        lines: #"""
            messages: <person> | ไปสายสิบนาที เริ่มกันก่อนได้เลย เดี๋ยวซื้อขนมปังไปให้
            messages: <person> | วันหยุดที่<place> | เห็นท้องฟ้าไหม <emoji>\nเดี๋ยวส่งรูปให้ดู
            mail: <person> | ตอบ: ใบแจ้งหนี้ <number> | ขอบคุณที่ตอบเร็ว หน้าที่สองหายไป \#
            รบกวนส่งมาอีกครั้งได้ไหม
            podcasts: <work> | ตอนที่ <count> | สามพี่น้อง ประภาคารหนึ่งหลัง และฤดูหนาวที่ยาวนาน
            news: <place> | สภามีมติเปิดเส้นทางเรือข้ามฟากเก่าอีกครั้ง เที่ยวแรกออกในฤดูใบไม้ผลิ
            calendar: ประชุมกับ <person> | <clock> ห้อง <digit> คุณยังไม่ได้ตอบรับคำเชิญ
            photos: <person> | อัลบั้มร่วม: <place> | เพิ่มรูปใหม่ <count> รูป <emoji>
            shopping: <work> | มีของแล้ว: <item> ราคา ฿<amount> เหลือ <count> ชิ้น
            social: <person> | <person> และอีก <count> คนถูกใจโพสต์ "ยามเช้า" ของคุณ
            sports: <place> <digit>–<digit> <rival> | ประตู! โหม่งจากลูกเตะมุมในนาทีที่ <count>
            banking: ชำระด้วยบัตร | ฿<amount> ที่<place> ไม่ใช่คุณหรือ ล็อกบัตรได้ในแอป
            delivery: พัสดุ <number> | อีก <count> จุด คาดว่าจะถึงเวลา <clock>
            travel: เปลี่ยนชานชาลา | รถไฟไป<place>ออกจากชานชาลา <digit> เวลา <clock>
            """#)
}
